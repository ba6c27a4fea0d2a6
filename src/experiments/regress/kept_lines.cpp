#include "experiments/regress/kept_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <system_error>

#include "base/files/file.h"
#include "base/json/json_text.h"

namespace opbench {
namespace {

Result<void> take_line(const std::string& line, const std::string& what,
                       const std::function<Result<void>(const Json&)>& take) {
  OPBENCH_TRY(const Json json, parse_json(line, what));
  try {
    return take(json);
  } catch (const Json::exception& error) {
    return invalid_input("damaged " + what).with("reason", error.what());
  }
}

}  // namespace

Result<void> keep_line(const std::filesystem::path& file, const Json& json) {
  OPBENCH_CHECK(make_writable_folder(file.parent_path()));
  const std::string kept = read_file(file).value_or("");
  const bool is_torn = !kept.empty() && kept.back() != '\n';
  return append_file(file, (is_torn ? "\n" : "") + json_text(json) + "\n");
}

Result<void> read_kept_lines(const std::filesystem::path& file, const std::string& what,
                             const std::function<Result<void>(const Json&)>& take) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  OPBENCH_TRY(const std::string text, read_file(file));
  std::istringstream lines(text);
  int64_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.ends_with('}')) continue;  // without its end
    const Result<void> taken = take_line(line, what, take);
    if (!taken) {
      return Error(taken.error()).with("in", fmt::format("{}:{}", file.string(), number));
    }
  }
  return {};
}

}  // namespace opbench
