#include "watching/series/history_reader.h"

#include "watching/series/packed_text.h"

namespace opbench {

Result<History> read_history(const std::string& path) {
  OPBENCH_TRY(const std::string text, read_packed_text(path));
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') return history_of_json_lines(text, path);
  return history_of_csv(text, path);
}

}  // namespace opbench
