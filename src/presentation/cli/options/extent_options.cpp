#include "presentation/cli/options/extent_options.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/numbers/number.h"
#include "experiments/sessions/model/literal_tensor.h"

namespace opbench {
namespace {

/// Name and value of `NAME=VALUE`, where the name may hold `=`: the longest name after which
/// `is_value` holds, or the shortest one where it never does.
template <class F>
std::pair<std::string, std::string> split_at_equals(const std::string& text, F&& is_value) {
  const size_t first = text.find('=');
  size_t at = text.rfind('=');
  while (at > first && !is_value(text.substr(at + 1))) at = text.rfind('=', at - 1);
  return {text.substr(0, at), text.substr(at + 1)};
}

template <class F>
Result<std::map<std::string, std::string>> named_values(const Arguments& arguments,
                                                        const std::string& option, F&& is_value) {
  std::map<std::string, std::string> result;
  for (const std::string& text : arguments.values(option)) {
    // One without a name or an equals sign.
    if (text.find('=') == std::string::npos || text.front() == '=') return arguments.pairs(option);
    const auto [name, value] = split_at_equals(text, is_value);
    if (!result.emplace(name, value).second) {
      return invalid_input(option + " names \"" + name + "\" twice");
    }
  }
  return result;
}

bool is_file_or_number(const std::string& text) {
  std::error_code ignored;
  return is_literal(text) ||
         (names_tensor_file(text) && std::filesystem::is_regular_file(text, ignored));
}

bool are_extents(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789,x") == std::string::npos;
}

/// Files must be there; literals must be some.
Result<std::map<std::string, std::string>> inputs_of(const Arguments& arguments) {
  OPBENCH_TRY(const auto inputs, named_values(arguments, "--input", is_file_or_number));
  for (const auto& [name, text] : inputs) {
    std::error_code ignored;
    if (!names_tensor_file(text) && !is_literal(text)) {
      return invalid_input("--input " + name + " takes a .npy or .pb file or a number, not \"" +
                           text + "\"");
    }
    if (names_tensor_file(text) && !std::filesystem::is_regular_file(text, ignored)) {
      return invalid_input("no file \"" + text + "\"").with("for", "--input " + name);
    }
  }
  return inputs;
}

/// --shape NAME=1,3,224,224 or NAME=1x3x224x224.
Result<std::map<std::string, Shape>> extent_options_shapes_of(const Arguments& arguments) {
  OPBENCH_TRY(const auto texts, named_values(arguments, "--shape", are_extents));
  std::map<std::string, Shape> shapes;
  for (const auto& [name, text] : texts) {
    const char separator = text.find(',') == std::string::npos ? 'x' : ',';
    for (const std::string& part : split(text, separator)) {
      const std::optional<int64_t> extent = parse_integer(part);
      if (!extent || *extent < 1) {
        return invalid_input("--shape " + name + " takes extents such as 1,3,224,224, not \"" +
                             text + "\"");
      }
      shapes[name].push_back(*extent);
    }
    if (!shapes.contains(name)) return invalid_input("--shape " + name + " needs extents");
  }
  return shapes;
}

bool is_one_extent(const std::string& text) { return parse_integer(text).has_value(); }

Result<std::map<std::string, int64_t>> dimensions_of(const Arguments& arguments) {
  OPBENCH_TRY(const auto texts, named_values(arguments, "--dim", is_one_extent));
  std::map<std::string, int64_t> dimensions;
  for (const auto& [name, text] : texts) {
    const std::optional<int64_t> extent = parse_integer(text);
    if (!extent || *extent < 0) {
      return invalid_input("--dim " + name + " takes an extent of at least 0, not \"" + text +
                           "\"");
    }
    dimensions[name] = *extent;
  }
  return dimensions;
}

}  // namespace

std::vector<OptionDef> extent_options() {
  return {
      {.name = "--batch-size",
       .value_name = "N",
       .help = "first extent of every input; default: as the model says",
       .short_name = "-b"},
      {.name = "--dim",
       .value_name = "NAME=N",
       .help = "extent of the free dimensions of this name; may be repeated",
       .kind = OptionKind::kRepeated},
      {.name = "--shape",
       .value_name = "NAME=D,D…",
       .help = "extents of an input whose dimensions are free; may be repeated",
       .kind = OptionKind::kRepeated},
      {.name = "--input",
       .value_name = "NAME=VALUE",
       .help = "an input's values: a .npy or .pb file, whose extents bind free dimensions, or the\n"
               "number that an input of one element has; may be repeated; default: seeded",
       .kind = OptionKind::kRepeated,
       .file = FileUse::kRead},
  };
}

Result<void> set_extents(const Arguments& arguments, ProfileRequest& request) {
  if (arguments.has("--batch-size")) {
    OPBENCH_TRY(request.model.extents.batch_size, arguments.integer("--batch-size", 1));
  }
  OPBENCH_TRY(request.model.extents.dimensions, dimensions_of(arguments));
  OPBENCH_TRY(request.model.extents.shapes, extent_options_shapes_of(arguments));
  OPBENCH_TRY(request.model.inputs, inputs_of(arguments));
  return {};
}

}  // namespace opbench
