#include "machine/target/tvm_target.h"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "machine/target/target_forms.h"

namespace opbench {
namespace {

void add_tvm_target_once(std::vector<std::string>& list, const std::string& word) {
  if (!word.empty() && std::ranges::find(list, word) == list.end()) list.push_back(word);
}

std::string tvm_target_attribute(const Target& raw, const std::string& name) {
  const auto found = raw.attributes.find(name);
  return found == raw.attributes.end() ? std::string() : found->second;
}

/// What TVM 0.14's parsers of CPU targets take for ARM's: microcontrollers by `-mcpu`, all others
/// by `-mtriple` (src/target/parsers/{m,a}profile.cc).
bool is_arm_of_014(const Target& raw) {
  if (raw.kind != "llvm" && raw.kind != "c") return false;
  const std::string processor = tvm_target_attribute(raw, "mcpu");
  for (const char* name : {"cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33",
                           "cortex-m35p", "cortex-m55", "cortex-m85"}) {
    if (processor.starts_with(name)) return true;
  }
  const std::string triple = tvm_target_attribute(raw, "mtriple");
  return triple.starts_with("aarch64") ||
         (triple.starts_with("arm") && !processor.starts_with("cortex-m"));
}

std::vector<std::string> resolved_keys(const Target& raw, const KindDefaults& defaults,
                                       TvmRules rules) {
  std::vector<std::string> keys;
  for (const std::string& key : raw.keys) add_tvm_target_once(keys, key);
  if (rules == TvmRules::k014 && is_arm_of_014(raw)) {
    for (const char* key : {"arm_cpu", "cpu"}) add_tvm_target_once(keys, key);
  }
  add_tvm_target_once(keys, tvm_target_attribute(raw, "device"));
  for (const std::string& key : defaults.keys) add_tvm_target_once(keys, key);
  return keys;
}

/// Kind, keys, then every attribute, given or default, in byte order.
std::string canonical_of(const Target& raw, const std::vector<std::string>& keys,
                         const KindDefaults& defaults) {
  std::map<std::string, std::string> attributes = raw.attributes;
  attributes.insert(defaults.attributes.begin(), defaults.attributes.end());
  if (!raw.mattr.empty()) attributes["mattr"] = join(raw.mattr, ",");
  if (!raw.libs.empty()) attributes["libs"] = join(raw.libs, ",");
  std::string text = raw.kind;
  if (!keys.empty()) text += " -keys=" + join(keys, ",");
  for (const auto& [key, value] : attributes) text += " -" + key + "=" + value;
  return text;
}

Result<Target> read_target(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin != std::string::npos && text[begin] == '{') {
    OPBENCH_TRY(const Json json, parse_json(text, "target"));
    return read_json_target(json, false);
  }
  const bool may_be_tag =
      text.find('/') != std::string::npos && text.find(' ') == std::string::npos;
  if (may_be_tag) {
    if (const auto tagged = expand_target_tag(text)) return read_json_target(*tagged, false);
  }
  return read_command_line_target(text);
}

}  // namespace

Result<TvmTarget> parse_tvm_target(const std::string& text) {
  OPBENCH_TRY(Target raw, read_target(text));
  TvmTarget result;
  const KindDefaults defaults = defaults_of(raw.kind);
  result.keys = resolved_keys(raw, defaults, TvmRules::k08);
  result.keys_014 = resolved_keys(raw, defaults, TvmRules::k014);
  const auto model = raw.attributes.find("model");
  result.model = model == raw.attributes.end() ? "unknown" : model->second;
  result.canonical = canonical_of(raw, result.keys, defaults);
  if (std::ranges::find(target_kinds(), raw.kind) == target_kinds().end()) {
    result.warnings.push_back("unknown target kind \"" + raw.kind + "\"");
  }
  result.identity = identity_of(std::move(raw));
  return result;
}

}  // namespace opbench
