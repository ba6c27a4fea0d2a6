#include "machine/target/parse_target.h"

#include "base/errors/suggestion.h"
#include "base/files/text_file.h"
#include "base/json/json.h"
#include "base/text/ascii.h"
#include "machine/target/target_forms.h"

namespace opbench {
namespace {

Result<Target> parse_text(const std::string& text) {
  if (text.starts_with('{')) {
    OPBENCH_TRY(const Json json, parse_json(text, "target"));
    return parse_json_target(json);
  }
  if (text == "host") return host_target();
  if (is_halide_target(text)) return parse_halide_target(text);
  const bool is_tag = text.find('/') < text.find(' ');
  if (is_tag && text.find(' ') == std::string::npos) {
    OPBENCH_TRY(const Json json, expand_target_tag(text));
    return parse_json_target(json);
  }
  return parse_command_line_target(text);
}

}  // namespace

Result<Target> parse_target(const std::string& text) {
  std::string form(trimmed(text));
  if (form.starts_with('@')) {
    OPBENCH_TRY(const std::string content, read_text_file(form.substr(1)));
    const std::string inner(trimmed(content));
    if (inner.starts_with('@')) {
      return Error{ErrorCode::kInvalidInput,
                   "target file \"" + form.substr(1) + "\" names another file: \"" + inner + "\""};
    }
    form = inner;
  }
  if (form.empty()) {
    return Error{ErrorCode::kInvalidInput, "target \"" + text + "\" is empty"}.with(
        "known", join(target_kinds()) + ", host");
  }
  return parse_text(form);
}

}  // namespace opbench
