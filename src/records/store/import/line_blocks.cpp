#include "records/store/import/line_blocks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files/text_file.h"

namespace opbench {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;

}  // namespace

Result<LineBlocks> LineBlocks::open(const std::string& path, size_t most_line_bytes) {
  LineBlocks blocks;
  blocks.path_ = path;
  blocks.most_line_bytes_ = most_line_bytes;
  blocks.fd_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (blocks.fd_ < 0) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("cannot read \"{}\": {}", path, std::strerror(errno))};
  }
  struct stat info {};
  if (::fstat(blocks.fd_, &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is a folder", path)};
    }
    if (S_ISREG(info.st_mode)) blocks.size_bytes_ = info.st_size;
  }
  return blocks;
}

LineBlocks::LineBlocks(LineBlocks&& other) noexcept { *this = std::move(other); }

LineBlocks& LineBlocks::operator=(LineBlocks&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(carried_, other.carried_);
  most_line_bytes_ = other.most_line_bytes_;
  size_bytes_ = other.size_bytes_;
  next_line_ = other.next_line_;
  is_at_end_ = other.is_at_end_;
  return *this;
}

LineBlocks::~LineBlocks() {
  if (fd_ >= 0) ::close(fd_);
}

Result<size_t> LineBlocks::read_some(std::string& bytes) {
  const size_t before = bytes.size();
  bytes.resize(before + kBlockBytes);
  size_t filled = before;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(fd_, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Error{ErrorCode::kSystem,
                   fmt::format("cannot read \"{}\": {}", path_, std::strerror(errno))};
    }
    if (got == 0) {
      is_at_end_ = true;
      break;
    }
    filled += static_cast<size_t>(got);
  }
  bytes.resize(filled);
  return filled - before;
}

/// Drops the begun line in `block.bytes` up to its end; what follows it is kept.
Result<void> LineBlocks::skip_line(LineBlock& block) {
  block.too_long_lines.push_back(next_line_++);
  while (true) {
    block.bytes.clear();
    OPBENCH_TRY(const size_t got, read_some(block.bytes));
    if (got == 0) return {};
    const size_t end = block.bytes.find('\n');
    if (end == std::string::npos) continue;
    block.bytes.erase(0, end + 1);
    return {};
  }
}

Result<bool> LineBlocks::next(LineBlock& block) {
  block.bytes.assign(carried_);
  carried_.clear();
  block.too_long_lines.clear();
  block.is_torn = false;
  size_t end = std::string::npos;
  while (end == std::string::npos && !is_at_end_) {
    const size_t before = block.bytes.size();
    OPBENCH_TRY(const size_t got, read_some(block.bytes));
    if (got > 0) end = block.bytes.rfind('\n');
    if (end != std::string::npos && end < before) end = std::string::npos;
    if (end == std::string::npos && block.bytes.size() > most_line_bytes_) {
      OPBENCH_CHECK(skip_line(block));
      end = block.bytes.rfind('\n');
    }
  }
  if (end != std::string::npos) {
    carried_.assign(block.bytes, end + 1);
    block.bytes.resize(end + 1);
  } else {
    block.is_torn = !block.bytes.empty();
  }
  const bool is_begin = next_line_ == 1;
  if (is_begin) block.bytes.erase(0, utf8_mark_bytes(block.bytes));
  block.first_line = next_line_;
  next_line_ += std::count(block.bytes.begin(), block.bytes.end(), '\n');
  const bool has_lines = !block.bytes.empty();
  block.bytes.append(LineBlock::kPadding, '\0');
  return has_lines || !block.too_long_lines.empty();
}

}  // namespace opbench
