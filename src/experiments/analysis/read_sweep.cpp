#include "experiments/analysis/read_sweep.h"

#include <nlohmann/json.hpp>

#include <string_view>

#include "base/files/file.h"
#include "experiments/analysis/sweep_readers.h"

namespace opbench {
namespace {

bool is_one_document(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("points");
}

}  // namespace

Result<SweptTimes> read_swept_times(const std::string& path, const std::string& time_column) {
  OPBENCH_TRY(const std::string text, read_file(path));
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    return Error{ErrorCode::kInvalidInput, "\"" + path + "\" is empty"};
  }
  if (text[first] != '{' && text[first] != '[') return read_text_sweep(text, path, time_column);
  if (!time_column.empty()) {
    return Error{ErrorCode::kInvalidInput, "--time names a column of text or CSV"}.with(
        "in", "\"" + path + "\" is JSON, which says which time it is");
  }
  if (is_one_document(text)) {
    OPBENCH_TRY(const Json json, parse_json(text, path));
    return read_json_sweep(json, path);
  }
  return read_record_sweep(text, path);
}

}  // namespace opbench
