#include "presentation/cli/output/streamed_output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/files/outside_wait.h"
#include "presentation/cli/output/output_file.h"

namespace opbench {
namespace fs = std::filesystem;

Result<StreamedOutput> StreamedOutput::open(const std::string& path, std::ostream& otherwise) {
  StreamedOutput output;
  if (path.empty()) {
    output.stream_ = &otherwise;
    return output;
  }
  OPBENCH_CHECK(check_writable(path, "--output"));
  std::error_code ignored;
  output.path_ = path;
  const bool is_special = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  if (is_special) {
    const OutsideWait wait(path);
    output.file_.reset(std::fopen(path.c_str(), "ae"));
    if (!output.file_) return output.cannot_write();
    return output;
  }
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) return output.cannot_write();
  output.temporary_ = temporary;
  constexpr mode_t kReadableByAll = 0644;
  ::fchmod(descriptor, kReadableByAll);
  output.file_.reset(::fdopen(descriptor, "we"));
  if (!output.file_) return output.cannot_write();
  return output;
}

StreamedOutput::StreamedOutput(StreamedOutput&& other) noexcept
    : file_(std::move(other.file_)),
      stream_(other.stream_),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})) {}

StreamedOutput& StreamedOutput::operator=(StreamedOutput&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(stream_, other.stream_);
  std::swap(path_, other.path_);
  std::swap(temporary_, other.temporary_);
  return *this;
}

StreamedOutput::~StreamedOutput() {
  file_.reset();
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> StreamedOutput::write(std::string_view part) {
  if (stream_ != nullptr) {
    *stream_ << part;
    if (!*stream_) return Error{ErrorCode::kSystem, "cannot write to the standard output"};
    return {};
  }
  if (std::fwrite(part.data(), 1, part.size(), file_.get()) != part.size()) return cannot_write();
  return {};
}

Result<void> StreamedOutput::finish() {
  if (stream_ != nullptr) return {};
  if (std::fflush(file_.get()) != 0) return cannot_write();
  if (temporary_.empty()) return {};
  if (::fsync(::fileno(file_.get())) != 0) return cannot_write();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot_write();
  temporary_.clear();
  return {};
}

Error StreamedOutput::cannot_write() const {
  return Error{ErrorCode::kSystem, "cannot write \"" + path_ + "\": " + std::strerror(errno)};
}

}  // namespace opbench
