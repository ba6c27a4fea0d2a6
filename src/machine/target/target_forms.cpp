#include "machine/target/target_forms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/errors/suggestion.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

using TargetFormsWords = std::vector<std::string>;

bool target_forms_contains(const TargetFormsWords& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

void add_target_forms_once(TargetFormsWords& list, const std::string& word) {
  if (!word.empty() && !target_forms_contains(list, word)) list.push_back(word);
}

/// Words in quotes keep their spaces; `\'` is a quote.
TargetFormsWords tokens_of(const std::string& text) {
  TargetFormsWords tokens;
  std::string token;
  bool quoted = false;
  bool any = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escape = c == '\\' && i + 1 < text.size();
    if (escape && (text[i + 1] == '\'' || text[i + 1] == '\\')) {
      token += text[++i];
    } else if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any || !token.empty()) tokens.push_back(token);
      token.clear();
      any = false;
    } else {
      token += c;
    }
  }
  if (any || !token.empty()) tokens.push_back(token);
  return tokens;
}

Result<void> check_kind(const std::string& kind) {
  if (target_forms_contains(target_kinds(), kind)) return {};
  TargetFormsWords known = target_kinds();
  known.push_back("host");
  return unknown_name("target", kind, known);
}

/// Names of processors that are not x86's; they need no `-mtriple` on a machine of their own.
bool is_other_architecture(const std::string& mcpu) {
  static const TargetFormsWords starts = {"cortex-",  "neoverse-", "apple-",  "carmel", "thunderx",
                                          "a64fx",    "kryo",      "exynos",  "falkor", "saphira",
                                          "ampere",   "tsv110",    "sifive-", "rocket", "pwr",
                                          "hexagonv", "arm",       "krait"};
  return std::ranges::any_of(starts, [&](const auto& start) { return mcpu.starts_with(start); });
}

Result<void> check_processor(const Target& target) {
  const auto mcpu = target.attributes.find("mcpu");
  const bool x86 = !target.attributes.contains("mtriple") && !target.attributes.contains("device");
  if (target.kind != "llvm" || mcpu == target.attributes.end() || !x86) return {};
  const TargetFormsWords known = x86_processors();
  if (target_forms_contains(known, mcpu->second) || is_other_architecture(mcpu->second)) return {};
  return unknown_name("processor", mcpu->second, known);
}

/// So that every form can spell it.
Result<void> check_keys(const Target& target) {
  for (const auto& [key, value] : target.attributes) {
    const bool plain =
        !key.empty() && key.front() != '-' && std::ranges::all_of(key, [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
        });
    if (!plain) return Error{ErrorCode::kInvalidInput, "bad target key \"" + key + "\""};
  }
  return {};
}

void expand_native(Target& target) {
  const auto mcpu = target.attributes.find("mcpu");
  if (mcpu == target.attributes.end() || mcpu->second != "native") return;
  const Target host = host_target();
  target.attributes.erase(mcpu);
  target.attributes.insert(host.attributes.begin(), host.attributes.end());
  for (const std::string& word : host.mattr) add_target_forms_once(target.mattr, word);
}

/// Keys as TVM resolves them (given, device, default); left empty when nothing but these is given.
void resolve_keys(Target& target, const KindDefaults& defaults) {
  const auto device = target.attributes.find("device");
  TargetFormsWords implied;
  if (device != target.attributes.end()) add_target_forms_once(implied, device->second);
  for (const std::string& key : defaults.keys) add_target_forms_once(implied, key);
  TargetFormsWords resolved;
  for (const std::string& key : target.keys) add_target_forms_once(resolved, key);
  for (const std::string& key : implied) add_target_forms_once(resolved, key);
  target.keys = resolved == implied ? TargetFormsWords{} : resolved;
}

Error wrong_type(const std::string& key, const Json& value) {
  return Error{ErrorCode::kInvalidInput, "target field \"" + key + "\" cannot be " + value.dump()};
}

Result<std::string> text_of_value(const std::string& key, const Json& value, bool is_host_checked) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return std::string(value.get<bool>() ? "1" : "0");
  if (value.is_number()) return value.dump();
  if (value.is_object() && key == "host") {
    OPBENCH_TRY(Target host, read_json_target(value, is_host_checked));
    if (!is_host_checked) return display_text(identity_of(std::move(host)));
    OPBENCH_TRY(const Target checked, normalise(std::move(host)));
    return display_text(checked);
  }
  if (!value.is_array()) return wrong_type(key, value);
  TargetFormsWords words;
  for (const Json& item : value) {
    if (!item.is_string() && !item.is_number()) return wrong_type(key, value);
    words.push_back(item.is_string() ? item.get<std::string>() : item.dump());
  }
  return join(words, ",");
}

/// The tag's fields, with those beside it laid over.
Result<Json> with_tag(const Json& json) {
  if (!json.contains("tag")) return json;
  if (!json["tag"].is_string()) return wrong_type("tag", json["tag"]);
  auto expanded = expand_target_tag(json["tag"].get<std::string>());
  if (!expanded && json.contains("kind")) return json;  // a tag of theirs, spelled out beside it
  if (!expanded) return expanded;
  for (const auto& [key, value] : json.items()) {
    if (key != "tag") (*expanded)[key] = value;
  }
  return expanded;
}

}  // namespace

KindDefaults defaults_of(const std::string& kind) {
  static const std::map<std::string, KindDefaults> table = {
      {"llvm", {{"cpu"}, {{"link-params", "0"}}}},
      {"c", {{"cpu"}, {{"link-params", "0"}}}},
      {"hexagon", {{"hexagon"}, {{"link-params", "0"}}}},
      {"cuda", {{"cuda", "gpu"}, {{"max_num_threads", "1024"}, {"thread_warp_size", "32"}}}},
      {"nvptx", {{"cuda", "gpu"}, {{"max_num_threads", "1024"}, {"thread_warp_size", "32"}}}},
      {"rocm", {{"rocm", "gpu"}, {{"max_num_threads", "256"}, {"thread_warp_size", "64"}}}},
      {"opencl", {{"opencl", "gpu"}, {{"max_num_threads", "256"}, {"thread_warp_size", "1"}}}},
      {"vulkan",
       {{"vulkan", "gpu"},
        {{"max_num_threads", "256"},
         {"thread_warp_size", "1"},
         {"supports_float32", "1"},
         {"supports_int32", "1"}}}},
      {"metal",
       {{"metal", "gpu"},
        {{"max_num_threads", "256"}, {"thread_warp_size", "16"}, {"max_function_args", "31"}}}},
      {"webgpu", {{"webgpu", "gpu"}, {{"max_num_threads", "256"}}}},
      {"sdaccel", {{"sdaccel", "hls"}, {}}},
      {"aocl", {{"aocl", "hls"}, {}}},
      {"aocl_sw_emu", {{"aocl", "hls"}, {}}},
  };
  const auto it = table.find(kind);
  return it == table.end() ? KindDefaults{} : it->second;
}

const TargetFormsWords& target_kinds() {
  static const TargetFormsWords kinds = {"llvm",        "c",      "cuda",   "nvptx",   "opencl",
                                         "metal",       "vulkan", "rocm",   "webgpu",  "hexagon",
                                         "ext_dev",     "pynq",   "vta",    "sdaccel", "aocl",
                                         "aocl_sw_emu", "hybrid", "stackvm"};
  return kinds;
}

TargetFormsWords split_list(std::string_view text) {
  TargetFormsWords words;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) words.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

void set_target_field(Target& target, const std::string& key, const std::string& value) {
  if (key == "mattr") {
    target.mattr = split_list(value);
  } else if (key == "keys") {
    target.keys = split_list(value);
  } else if (key == "libs") {
    target.libs = split_list(value);
  } else {
    target.attributes[key == "target" ? "mtriple" : key] = value;
  }
}

Target identity_of(Target target) {
  const KindDefaults defaults = defaults_of(target.kind);
  resolve_keys(target, defaults);
  for (const auto& [key, value] : defaults.attributes) {
    const auto it = target.attributes.find(key);
    if (it != target.attributes.end() && it->second == value) target.attributes.erase(it);
  }
  const auto model = target.attributes.find("model");
  if (model != target.attributes.end() && model->second == "unknown") {
    target.attributes.erase(model);
  }
  const auto tag = target.attributes.find("tag");
  if (tag != target.attributes.end() && tag->second.empty()) target.attributes.erase(tag);
  for (TargetFormsWords* list : {&target.mattr, &target.libs}) {
    std::ranges::sort(*list);
    list->erase(std::ranges::unique(*list).begin(), list->end());
  }
  return target;
}

Result<Target> normalise(Target target) {
  OPBENCH_CHECK(check_kind(target.kind));
  OPBENCH_CHECK(check_keys(target));
  expand_native(target);
  OPBENCH_CHECK(check_processor(target));
  return identity_of(std::move(target));
}

Result<Target> parse_command_line_target(const std::string& text) {
  const TargetFormsWords tokens = tokens_of(text);
  if (!tokens.empty()) OPBENCH_CHECK(check_kind(tokens.front()));
  OPBENCH_TRY(Target target, read_command_line_target(text));
  return normalise(std::move(target));
}

Result<Target> read_command_line_target(const std::string& text) {
  const TargetFormsWords tokens = tokens_of(text);
  if (tokens.empty()) return Error{ErrorCode::kInvalidInput, "target \"" + text + "\" is empty"};
  Target target;
  target.kind = tokens.front();
  TargetFormsWords seen;
  for (size_t i = 1; i < tokens.size(); ++i) {
    const size_t begin = tokens[i].find_first_not_of('-');
    if (begin == 0 || begin == std::string::npos) {
      Error error{ErrorCode::kInvalidInput,
                  "unexpected word \"" + tokens[i] + "\" in target \"" + text + "\""};
      return std::move(error).with("expected", "-KEY=VALUE");
    }
    const size_t equals = tokens[i].find('=');
    std::string key =
        tokens[i].substr(begin, equals == std::string::npos ? equals : equals - begin);
    std::string value = "1";
    if (equals != std::string::npos) {
      value = tokens[i].substr(equals + 1);
    } else if (i + 1 < tokens.size() && !tokens[i + 1].starts_with('-')) {
      value = tokens[++i];
    }
    if (key == "target") key = "mtriple";
    if (target_forms_contains(seen, key)) {
      return Error{ErrorCode::kInvalidInput, "target \"" + text + "\" sets \"-" + key + "\" twice"};
    }
    seen.push_back(key);
    set_target_field(target, key, value);
  }
  return target;
}

Result<Target> parse_json_target(const Json& json) {
  OPBENCH_TRY(Target target, read_json_target(json, true));
  return normalise(std::move(target));
}

Result<Target> read_json_target(const Json& json, bool is_host_checked) {
  if (!json.is_object()) return wrong_type("target", json);
  OPBENCH_TRY(const Json fields, with_tag(json));
  if (!fields.contains("kind") || !fields["kind"].is_string()) {
    return Error{ErrorCode::kInvalidInput, "target " + json.dump() + " has no \"kind\""}.with(
        "known", join(target_kinds()));
  }
  Target target;
  target.kind = fields["kind"].get<std::string>();
  for (const auto& [key, value] : fields.items()) {
    if (key == "kind" || value.is_null()) continue;
    OPBENCH_TRY(const std::string text, text_of_value(key, value, is_host_checked));
    set_target_field(target, key, text);
  }
  return target;
}

}  // namespace opbench
