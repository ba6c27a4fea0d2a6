#include "base/files/line_reader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/files/text_file.h"

namespace opbench {
namespace {

constexpr size_t kFirstBytes = size_t{1} << 18;

Error cannot_read(const std::string& path, const std::string& reason, ErrorCode code) {
  return Error{code, "cannot read \"" + path + "\": " + reason};
}

}  // namespace

void LineReader::Close::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

Result<LineReader> LineReader::open(const std::string& path, size_t most_bytes) {
  LineReader reader;
  reader.path_ = path;
  reader.most_bytes_ = most_bytes;
  reader.file_.reset(path == "-" ? stdin : std::fopen(path.c_str(), "rbe"));
  if (!reader.file_) return cannot_read(path, std::strerror(errno), ErrorCode::kInvalidInput);
  struct stat info {};
  if (::fstat(::fileno(reader.file_.get()), &info) == 0 && S_ISDIR(info.st_mode)) {
    return cannot_read(path, "it is a folder", ErrorCode::kInvalidInput);
  }
  reader.buffer_.resize(kFirstBytes);
  return reader;
}

Result<std::optional<Line>> LineReader::next() {
  bool is_too_long = false;
  size_t searched = 0;  // bytes from begin_ on that hold no newline
  while (true) {
    const std::string_view held = std::string_view(buffer_).substr(begin_, end_ - begin_);
    const size_t newline = held.find('\n', searched);
    const bool is_torn = newline == std::string_view::npos && is_at_end_;
    if (newline != std::string_view::npos || is_torn) {
      if (is_torn && held.empty() && !is_too_long) return std::optional<Line>();
      std::string_view text = held.substr(0, newline);
      const size_t taken = is_torn ? text.size() : text.size() + 1;
      if (number_ == 0) text.remove_prefix(utf8_mark_bytes(text));
      begin_ += taken;
      bytes_ += static_cast<int64_t>(taken);
      is_too_long = is_too_long || text.size() > most_bytes_;
      ++number_;
      return std::optional<Line>(
          {is_too_long ? std::string_view() : text, number_, is_torn, is_too_long});
    }
    searched = held.size();
    if (searched > most_bytes_) {
      is_too_long = true;
      bytes_ += static_cast<int64_t>(searched);
      begin_ = end_ = searched = 0;
    }
    OPBENCH_CHECK(fill());
  }
}

Result<void> LineReader::fill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  while (true) {
    const ssize_t count =
        ::read(::fileno(file_.get()), buffer_.data() + end_, buffer_.size() - end_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_read(path_, std::strerror(errno), ErrorCode::kSystem);
    end_ += static_cast<size_t>(count);
    is_at_end_ = count == 0;
    return {};
  }
}

}  // namespace opbench
