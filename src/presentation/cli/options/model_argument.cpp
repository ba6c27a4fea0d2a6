#include "presentation/cli/options/model_argument.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/errors/suggestion.h"
#include "model/download/url.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo_entries()) names.push_back(entry.name);
  return names;
}

}  // namespace

Result<ModelArgument> resolve_model(const std::string& text) {
  std::error_code ignored;
  if (is_url(text)) {
    OPBENCH_CHECK(parse_url(text));
    return ModelArgument{false, text};
  }
  const bool exists = std::filesystem::exists(text, ignored);
  const bool is_path = text.find('/') != std::string::npos || text.ends_with(".onnx");
  const std::vector<std::string> names = zoo_names();
  const bool is_zoo = std::ranges::find(names, text) != names.end();
  if (is_zoo && !is_path) return ModelArgument{true, text};
  if (std::filesystem::is_directory(text, ignored)) {
    return Error{ErrorCode::kInvalidInput, "\"" + text + "\" is a folder, not an ONNX file"};
  }
  if (exists) return ModelArgument{false, text};
  if (is_path) return Error{ErrorCode::kInvalidInput, "no file \"" + text + "\""};
  return unknown_name("model", text, names);
}

bool is_workload(const std::string& text) {
  std::error_code ignored;
  return text.find(' ') != std::string::npos && !std::filesystem::exists(text, ignored);
}

}  // namespace opbench
