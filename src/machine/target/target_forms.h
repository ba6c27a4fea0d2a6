#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "machine/target/target.h"

/// The forms in which a target is written; parse_target() chooses among them.
namespace opbench {

/// Valid kinds: those of TVM.
const std::vector<std::string>& target_kinds();

/// TVM's command-line form. `kInvalidInput` for an unknown kind, a stray word, a repeated key.
Result<Target> parse_command_line_target(const std::string& text);

/// The fields as they are written, before normalise() or identity_of().
Result<Target> read_command_line_target(const std::string& text);
Result<Target> read_json_target(const Json& json, bool is_host_checked);

/// TVM's JSON form. `kInvalidInput` for an unknown kind or tag and for fields of a wrong type.
Result<Target> parse_json_target(const Json& json);

/// Halide's form. `kInvalidInput` for an unknown feature.
Result<Target> parse_halide_target(const std::string& text);

/// True if the text is in Halide's form: an architecture of Halide, then `-`.
bool is_halide_target(std::string_view text);

/// The JSON of a tag (`raspberry-pi/4b-aarch64`). `kInvalidInput` with the known tags.
Result<Json> expand_target_tag(const std::string& tag);

/// Sets one field from its text; lists are split at commas.
void set_target_field(Target& target, const std::string& key, const std::string& value);

/// Splits at commas, drops empty words.
std::vector<std::string> split_list(std::string_view text);

/// Lists sorted, what TVM 0.8 adds by itself and empty fields left out; nothing of this machine in
/// it, and no kind, processor or key refused.
Target identity_of(Target target);

/// What TVM 0.8 adds to a target of this kind: keys in order, attributes.
struct KindDefaults {
  std::vector<std::string> keys;
  std::map<std::string, std::string> attributes;
};
KindDefaults defaults_of(const std::string& kind);

/// Brings a target to its one identity: lists sorted, defaults left out, `native` expanded.
/// `kInvalidInput` for a processor that does not exist.
Result<Target> normalise(Target target);

}  // namespace opbench
