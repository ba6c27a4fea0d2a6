#include "engines/runtime/weight_pages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace opbench {
namespace {

constexpr int64_t kLooseEnd = 64;  ///< kernels may read so many bytes beyond a weight

/// An open file, closed with this object.
struct OpenFile {
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  const int descriptor;
};

bool read_all(int descriptor, std::byte* to, int64_t begin, int64_t end) {
  while (begin < end) {
    const ssize_t got = ::pread(descriptor, to, static_cast<size_t>(end - begin), begin);
    if (got <= 0) return false;
    begin += got;
    to += got;
  }
  return true;
}

}  // namespace

WeightPages::WeightPages() { parts_.push_back({0, 0, PageBuffer(kLooseEnd)}); }

Result<void> WeightPages::read_to(const std::filesystem::path& path, int64_t bytes) {
  if (bytes == 0) return {};
  const Error unreadable{ErrorCode::kInvalidInput,
                         fmt::format("cannot read weights \"{}\"", path.string())};
  const OpenFile file(path);
  struct stat status = {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) return unreadable;
  const std::pair<uint64_t, uint64_t> identity(status.st_dev, status.st_ino);
  if (end_ > 0 && identity != file_) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the weights \"{}\" are not those that are loaded", path.string())};
  }
  if (bytes <= end_) return {};
  Part part{end_, bytes, PageBuffer(static_cast<size_t>(bytes - end_ + kLooseEnd))};
  if (!read_all(file.descriptor, part.pages.data(), end_, bytes)) return unreadable;
  parts_.push_back(std::move(part));
  file_ = identity;
  end_ = bytes;
  return {};
}

std::byte* WeightPages::find(int64_t offset, int64_t bytes) const {
  for (const Part& part : parts_) {
    if (offset >= part.begin && offset + bytes <= part.end) {
      return part.pages.data() + (offset - part.begin);
    }
  }
  return nullptr;
}

}  // namespace opbench
