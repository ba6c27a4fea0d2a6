#include "experiments/analysis/read_sweep.h"

#include <nlohmann/json.hpp>

#include "base/files/text_file.h"
#include "experiments/analysis/sweep_readers.h"

namespace opbench {

Result<SweptTimes> read_swept_times(const std::string& path, const std::string& time_column) {
  OPBENCH_TRY(const std::string text, read_text_file(path));
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    return Error{ErrorCode::kInvalidInput, "\"" + path + "\" is empty"};
  }
  if (text[first] != '{' && text[first] != '[') return read_text_sweep(text, path, time_column);
  if (!time_column.empty()) {
    return Error{ErrorCode::kInvalidInput, "--time names a column of text or CSV"}.with(
        "in", "\"" + path + "\" is JSON, which says which time it is");
  }
  const Json document = Json::parse(text, nullptr, false);
  const bool is_sweep = document.is_object() && document.contains("points");
  if (is_sweep) return read_json_sweep(document, path);
  return read_record_sweep(text, path);
}

}  // namespace opbench
