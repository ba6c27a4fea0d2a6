#include "machine/target/target.h"

#include <algorithm>

#include "base/errors/suggestion.h"
#include "machine/target/cpu_cap.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

bool has_attribute(const Target& target, const std::string& key) {
  return target.attributes.contains(key);
}

std::string target_attribute(const Target& target, const std::string& key) {
  const auto it = target.attributes.find(key);
  return it == target.attributes.end() ? std::string() : it->second;
}

/// Quoted when it holds spaces or quotes.
std::string command_line_word(const std::string& value) {
  if (!value.empty() && value.find_first_of(" '\\") == std::string::npos) return value;
  std::string quoted = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

bool is_arm(const Target& target) {
  const std::string triple = target_attribute(target, "mtriple");
  return triple.starts_with("aarch64") || triple.starts_with("arm");
}

/// What code for the target may use, in LLVM's words: the processor's, with mattr applied. A wide
/// set brings the narrower ones it is built on.
std::set<std::string> features_of(const Target& target) {
  const auto of_processor = features_of_processor(target_attribute(target, "mcpu"));
  std::set<std::string> features(of_processor.begin(), of_processor.end());
  for (const std::string& word : target.mattr) {
    if (!word.starts_with('-')) features.insert(word.starts_with('+') ? word.substr(1) : word);
  }
  for (const std::string& word : target.mattr) {
    if (word.starts_with('-')) features.erase(word.substr(1));
  }
  return features;
}

bool removed(const Target& target, const std::string& feature) {
  return std::ranges::find(target.mattr, "-" + feature) != target.mattr.end();
}

bool contains_all(const std::set<std::string>& features, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& word) { return features.contains(word); });
}

}  // namespace

std::string display_text(const Target& target) {
  std::string text = target.kind;
  const auto add = [&](const std::string& key, const std::string& value) {
    text += " -" + key + "=" + command_line_word(value);
  };
  if (!target.keys.empty()) add("keys", join(target.keys, ","));
  for (const auto& [key, value] : target.attributes) add(key, value);
  if (!target.libs.empty()) add("libs", join(target.libs, ","));
  if (!target.mattr.empty()) add("mattr", join(target.mattr, ","));
  return text;
}

bool is_x86(const Target& target) {
  const std::string triple = target_attribute(target, "mtriple");
  const bool named = triple.starts_with("x86_64") || triple.starts_with("amd64") ||
                     triple.starts_with("i686") || triple.starts_with("i386");
  return triple.empty() || named;
}

VectorIsa vector_isa(const Target& target) {
  if (target.kind != "llvm") return VectorIsa::kScalar;
  const std::set<std::string> features = features_of(target);
  if (is_arm(target)) {
    const bool arm64 = target_attribute(target, "mtriple").starts_with("aarch64") ||
                       target_attribute(target, "mtriple").starts_with("arm64");
    const bool neon = features.contains("neon") || (arm64 && !removed(target, "neon"));
    return neon ? VectorIsa::kNeon : VectorIsa::kScalar;
  }
  if (!is_x86(target)) return VectorIsa::kScalar;
  const bool avx = !removed(target, "avx");
  const bool avx2 = avx && !removed(target, "avx2");
  const bool avx512 =
      contains_all(features, {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"});
  if (avx2 && avx512) return VectorIsa::kAvx512;
  if (avx2 && (features.contains("avx2") || features.contains("avx512f"))) return VectorIsa::kAvx2;
  for (const char* wider : {"sse4.1", "sse4.2", "avx", "avx2", "avx512f"}) {
    if (features.contains(wider)) return VectorIsa::kSse41;
  }
  return VectorIsa::kScalar;
}

bool has_dot_products(const Target& target) {
  return vector_isa(target) == VectorIsa::kAvx512 &&
         contains_all(features_of(target), {"avx512vnni", "avx512vbmi", "avx512ifma"});
}

int float_lanes(const Target& target) {
  const VectorIsa isa = vector_isa(target);
  if (isa == VectorIsa::kAvx512) return 16;
  return isa == VectorIsa::kAvx2 ? 8 : 4;
}

Target x86_target(const std::set<std::string>& flags) {
  Target target;
  for (const std::string processor :
       {"icelake-client", "skylake-avx512", "haswell", "sandybridge", "nehalem", "penryn"}) {
    const auto runs = [&](const std::string& word) { return flags.contains(kernel_word(word)); };
    if (!std::ranges::all_of(features_of_processor(processor), runs)) continue;
    target.attributes["mcpu"] = processor;
    break;
  }
  return target;
}

Target host_target() {
#if defined(__aarch64__)
  return {.attributes = {{"mtriple", "aarch64-linux-gnu"}}, .mattr = {"+neon"}};
#else
  return x86_target(cpu_flags());
#endif
}

bool is_arm64(const Target& target) {
  return target.kind == "llvm" && target_attribute(target, "mtriple").starts_with("aarch64");
}

bool runs_here(const Target& target, std::string& missing) {
  missing.clear();
#if defined(__aarch64__)
  const bool same_machine = is_arm64(target);
#else
  const bool same_machine = is_x86(target) && !has_attribute(target, "device");
#endif
  if (target.kind != "llvm" && target.kind != "c") {
    missing = "a device for " + target.kind;
    return false;
  }
  if (!same_machine) {
    missing = has_attribute(target, "mtriple") ? target_attribute(target, "mtriple")
                                               : "device " + target_attribute(target, "device");
    return false;
  }
  const std::set<std::string> flags = cpu_flags();
  std::vector<std::string> absent;
  for (const std::string& feature : features_of(target)) {
    const std::string word = kernel_word(feature);
    if (!word.empty() && !flags.contains(word)) absent.push_back(feature);
  }
  missing = join(absent);
  return absent.empty();
}

}  // namespace opbench
