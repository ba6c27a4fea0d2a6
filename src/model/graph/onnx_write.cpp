#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/graph/onnx_export.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

/// A file that appears under its name only when it is complete.
class NewFile {
 public:
  explicit NewFile(fs::path path) : path_(std::move(path)) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (fd_ < 0) return;
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }

  /// Appends, creating the file at the first call.
  Result<void> append(std::string_view bytes) {
    if (fd_ < 0) {
      temporary_ = path_.string() + ".XXXXXX";
      fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
      if (fd_ < 0) return failed();
      ::fchmod(fd_, 0644);
    }
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return failed();
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
  }

  /// Puts what was appended, if anything was, in its place.
  Result<void> finish() {
    if (fd_ < 0) return {};
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) return failed();
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failed();
    ::close(fd_);
    fd_ = -1;
    return {};
  }

 private:
  Error failed() const {
    return {ErrorCode::kInvalidInput,
            fmt::format("cannot write \"{}\": {}", path_.string(), std::strerror(errno))};
  }

  fs::path path_;
  std::string temporary_;
  int fd_ = -1;
};

}  // namespace

Result<void> export_onnx_file(const Model& model, const fs::path& path, ExportOptions options) {
  options.external_name = path.filename().string() + ".data";
  NewFile file(path);
  NewFile external(path.parent_path() / options.external_name);
  OPBENCH_CHECK(
      export_onnx(model, options,
                  {.size = [](int64_t) { return Result<void>(); },
                   .model = [&](std::string_view part) { return file.append(part); },
                   .external = [&](std::string_view part) { return external.append(part); }}));
  OPBENCH_CHECK(external.finish());
  return file.finish();
}

Result<void> write_onnx(const Model& model, const fs::path& path,
                        const std::vector<std::string>& extra_outputs) {
  ExportOptions options;
  options.extra_outputs = extra_outputs;
  return export_onnx_file(model, path, std::move(options));
}

}  // namespace opbench
