#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opbench/base/json.h"
#include "opbench/hardware/target.h"

/// The forms in which a target is written; parse_target() chooses among them.
namespace opbench {

/// Valid kinds: those of TVM.
const std::vector<std::string>& target_kinds();

/// TVM's command-line form. `kInvalidInput` for an unknown kind, a stray word, a repeated key.
Result<Target> parse_command_line_target(const std::string& text);

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

/// Brings a target to its one identity: lists sorted, defaults left out, `native` expanded.
/// `kInvalidInput` for a processor that does not exist.
Result<Target> normalise(Target target);

}  // namespace opbench
