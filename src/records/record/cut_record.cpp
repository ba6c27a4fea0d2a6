#include "records/record/cut_record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/json/json.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kLongestLine = int64_t{16} << 20;  // longer ones are no records

Error write_error(const fs::path& path, ErrorCode code) {
  return {code, fmt::format("cannot write \"{}\": {}", path.string(), std::strerror(errno))};
}

/// What stands behind the last line break; nothing when that is longer than a record can be.
std::optional<std::string> last_line(int file, int64_t size) {
  constexpr int64_t kPiece = int64_t{64} << 10;
  std::string line;
  for (int64_t end = size; end > 0;) {
    const int64_t begin = std::max<int64_t>(end - kPiece, 0);
    std::string piece(static_cast<size_t>(end - begin), '\0');
    if (::pread(file, piece.data(), piece.size(), begin) != end - begin) return {};
    const size_t at = piece.rfind('\n');
    line.insert(0, at == std::string::npos ? piece : piece.substr(at + 1));
    if (at != std::string::npos) break;
    if (std::ssize(line) > kLongestLine) return {};
    end = begin;
  }
  return line;
}

}  // namespace

bool may_be_cut(std::string_view text, std::string_view record_begin) {
  return text.starts_with(record_begin) || record_begin.starts_with(text);
}

Result<void> remove_end(int file, const fs::path& path, int64_t begin) {
  if (::ftruncate(file, static_cast<off_t>(begin)) == 0) return {};
  return write_error(path, ErrorCode::kSystem);
}

Result<bool> mend_last_line(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (file < 0) return write_error(path, ErrorCode::kInvalidInput);
  const auto size = static_cast<int64_t>(::lseek(file, 0, SEEK_END));
  const std::optional<std::string> line = last_line(file, size);
  Result<bool> result = false;
  if (line && !line->empty() && may_be_cut(*line, "{") && !Json::accept(*line)) {
    const Result<void> removed = remove_end(file, path, size - std::ssize(*line));
    result = removed ? Result<bool>(true) : removed.error();
  } else if ((!line || !line->empty()) && ::write(file, "\n", 1) != 1) {
    result = write_error(path, ErrorCode::kSystem);
  }
  ::close(file);
  return result;
}

}  // namespace opbench
