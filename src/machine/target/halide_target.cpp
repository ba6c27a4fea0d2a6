#include <algorithm>
#include <map>

#include "base/errors/suggestion.h"
#include "machine/target/target_forms.h"

namespace opbench {
namespace {

/// Halide 14's x86 and ARM features and what they are in LLVM's words.
const std::map<std::string, std::string>& vector_features() {
  static const std::map<std::string, std::string> table = {
      {"sse41", "+sse4.1"},
      {"avx", "+avx"},
      {"avx2", "+avx2"},
      {"fma", "+fma"},
      {"fma4", "+fma4"},
      {"f16c", "+f16c"},
      {"avx512", "+avx512f"},
      {"sve", "+sve"},
      {"sve2", "+sve2"},
      {"arm_fp16", "+fullfp16"},
      {"arm_dot_prod", "+dotprod"},
  };
  return table;
}

const std::map<std::string, std::string>& processor_features() {
  static const std::map<std::string, std::string> table = {
      {"avx512_knl", "knl"},
      {"avx512_skylake", "skylake-avx512"},
      {"avx512_cannonlake", "cannonlake"},
      {"avx512_sapphirerapids", "sapphirerapids"},
  };
  return table;
}

/// Features that are no instruction set; kept as they are.
const std::vector<std::string>& other_features() {
  static const std::vector<std::string> table = {"no_runtime",
                                                 "no_asserts",
                                                 "no_bounds_query",
                                                 "user_context",
                                                 "large_buffers",
                                                 "profile",
                                                 "debug",
                                                 "jit",
                                                 "trace_all",
                                                 "cuda",
                                                 "opencl",
                                                 "metal",
                                                 "vulkan",
                                                 "hvx",
                                                 "no_neon",
                                                 "soft_float_abi",
                                                 "strict_float",
                                                 "asan",
                                                 "msan",
                                                 "tsan",
                                                 "fuzz_float_stores",
                                                 "cl_half",
                                                 "cl_doubles",
                                                 "armv7s",
                                                 "c_plus_plus_name_mangling",
                                                 "disable_llvm_loop_opt",
                                                 "enable_llvm_loop_opt"};
  return table;
}

std::vector<std::string> split_dashes(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('-', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool halide_target_contains(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Empty for x86-64 Linux, which is what `llvm` alone means.
std::string triple_of(const std::string& arch, const std::string& bits, const std::string& os) {
  const bool linux = os.empty() || os == "linux";
  std::string machine = arch;
  if (arch == "x86") machine = bits == "32" ? "i686" : "x86_64";
  if (arch == "arm") machine = bits == "32" ? "armv7l" : "aarch64";
  if (arch == "riscv") machine = "riscv" + (bits.empty() ? "64" : bits);
  if (linux && machine == "x86_64") return "";
  if (os == "windows") return machine + "-pc-windows-msvc";
  if (os == "osx" || os == "ios") return machine + "-apple-" + os;
  if (os == "android") return machine + "-linux-android";
  if (linux) return machine + (machine == "armv7l" ? "-linux-gnueabihf" : "-linux-gnu");
  return machine + "-unknown-" + os;
}

Result<void> add_feature(Target& target, const std::string& feature,
                         std::vector<std::string>& others) {
  if (const auto it = vector_features().find(feature); it != vector_features().end()) {
    target.mattr.push_back(it->second);
    return {};
  }
  if (const auto it = processor_features().find(feature); it != processor_features().end()) {
    target.attributes["mcpu"] = it->second;
    return {};
  }
  const bool capability = feature.starts_with("cuda_capability_") || feature.starts_with("hvx_");
  if (halide_target_contains(other_features(), feature) || capability) {
    others.push_back(feature);
    return {};
  }
  std::vector<std::string> known;
  for (const auto& [name, unused] : vector_features()) known.push_back(name);
  for (const auto& [name, unused] : processor_features()) known.push_back(name);
  known.insert(known.end(), other_features().begin(), other_features().end());
  return unknown_name("feature of a Halide target", feature, known);
}

}  // namespace

bool is_halide_target(std::string_view text) {
  static const std::vector<std::string> starts = {"x86-", "arm-", "riscv-", "wasm-", "host-"};
  if (text.find(' ') != std::string_view::npos) return false;
  return std::ranges::any_of(starts, [&](const auto& start) { return text.starts_with(start); });
}

Result<Target> parse_halide_target(const std::string& text) {
  static const std::vector<std::string> systems = {"linux", "windows", "osx",     "android",
                                                   "ios",   "noos",    "fuchsia", "wasmrt"};
  const std::vector<std::string> parts = split_dashes(text);
  const std::string& arch = parts.front();
  Target target = arch == "host" ? host_target() : Target{};
  std::string bits;
  std::string os;
  std::vector<std::string> others;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (i == 1 && (parts[i] == "32" || parts[i] == "64")) {
      bits = parts[i];
    } else if (os.empty() && halide_target_contains(systems, parts[i])) {
      os = parts[i];
    } else {
      OPBENCH_CHECK(add_feature(target, parts[i], others));
    }
  }
  const std::string triple = arch == "host" ? "" : triple_of(arch, bits, os);
  if (!triple.empty()) target.attributes["mtriple"] = triple;
  const bool neon = arch == "arm" && !halide_target_contains(others, "no_neon");
  if (neon) target.mattr.push_back("+neon");
  std::ranges::sort(others);
  if (!others.empty()) target.attributes["halide-features"] = join(others, ",");
  return normalise(std::move(target));
}

}  // namespace opbench
