#include "model/download/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "base/tensors/tensor_size.h"
#include "base/text/printable.h"
#include "model/download/archive_path.h"
#include "model/download/download_libraries.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

using std::string_view_literals::operator""sv;

struct EndArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, EndArchive>;

Error unwritable(const fs::path& path) {
  return {ErrorCode::kSystem,
          fmt::format("cannot write \"{}\": {}", path.string(), std::strerror(errno))};
}

const char* text_or_nothing(const char* text) { return text == nullptr ? "" : text; }

/// A file that is written once.
class NewFile {
 public:
  explicit NewFile(const fs::path& path)
      : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)) {}
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }

  bool write_at(const void* bytes, size_t size, int64_t offset) const {
    const char* rest = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = ::pwrite(fd_, rest, size, offset);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      rest += written;
      offset += written;
      size -= static_cast<size_t>(written);
    }
    return true;
  }

  bool set_size(int64_t size) const { return ::ftruncate(fd_, size) == 0; }

 private:
  int fd_;
};

class Unpacking {
 public:
  Unpacking(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits,
            const std::atomic<bool>* cancel)
      : archive_(archive), folder_(folder), limits_(limits), cancel_(cancel) {}

  Result<void> run() {
    OPBENCH_CHECK(open());
    while (true) {
      archive_entry* entry = nullptr;
      const int code = archive_read_next_header(reader_.get(), &entry);
      if (code == ARCHIVE_EOF) return {};
      if (code != ARCHIVE_OK && code != ARCHIVE_WARN) return damaged();
      if (++files_ > limits_.most_files) {
        return invalid_input(
            fmt::format("the archive holds more than {} files", limits_.most_files));
      }
      OPBENCH_CHECK(take(entry));
    }
  }

 private:
  Result<void> open() {
    std::error_code error;
    packed_bytes_ = static_cast<double>(fs::file_size(archive_, error));
    reader_.reset(archive_read_new());
    archive* const reader = reader_.get();
    if (reader == nullptr) return invalid_input("not enough memory for the archive");
    archive_read_support_filter_gzip(reader);
    archive_read_support_filter_bzip2(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_zstd(reader);
    archive_read_support_format_tar(reader);
    archive_read_support_format_zip(reader);
    constexpr size_t kBlock = size_t{64} << 10;
    if (archive_read_open_filename(reader, archive_.c_str(), kBlock) == ARCHIVE_OK) return {};
    return damaged();
  }

  Error damaged() const {
    const char* reason = archive_error_string(reader_.get());
    return invalid_input("the archive is damaged, or is none")
        .with("reason", printable(text_or_nothing(reason)))
        .with("valid", "tar, tar.gz, tar.bz2, tar.xz, tar.zst, zip");
  }

  static Error refused(const std::string& name, const std::string& what) {
    return invalid_input(fmt::format("\"{}\" in the archive {}", printable(name), what));
  }

  Result<void> take(archive_entry* entry) {
    const char* utf8 = archive_entry_pathname_utf8(entry);
    const std::string name =
        text_or_nothing(utf8 != nullptr ? utf8 : archive_entry_pathname(entry));
    const auto path = archive_path(name);
    if (!path) return refused(name, "would be written outside its folder, or has no usable name");
    if (path->empty()) return {};  // `./`
    std::error_code error;
    fs::create_directories(folder_ / path->parent_path(), error);
    if (error) return refused(name, fmt::format("cannot be written: {}", error.message()));
    const char* hard = archive_entry_hardlink(entry);
    if (hard != nullptr) return link(name, *path, archive_link({}, hard), hard);
    switch (archive_entry_filetype(entry)) {
      case AE_IFREG:
        return write(entry, name, *path);
      case AE_IFDIR:
        fs::create_directories(folder_ / *path, error);
        if (error) return refused(name, fmt::format("cannot be written: {}", error.message()));
        return {};
      case AE_IFLNK: {
        const char* target = text_or_nothing(archive_entry_symlink(entry));
        return link(name, *path, archive_link(path->parent_path(), target), target);
      }
      default:
        return refused(name, "is no file, folder or link, but a device, pipe or socket");
    }
  }

  /// No symbolic link is ever made, so no path can lead through one.
  Result<void> link(const std::string& name, const fs::path& path,
                    const std::optional<fs::path>& target, const std::string& text) const {
    if (!target) {
      return refused(name,
                     fmt::format("is a link that leaves the archive: \"{}\"", printable(text)));
    }
    std::error_code error;
    if (!fs::is_regular_file(folder_ / *target, error)) {
      return refused(
          name, fmt::format("is a link to \"{}\", which is no file before it", printable(text)));
    }
    fs::create_hard_link(folder_ / *target, folder_ / path, error);
    if (error == std::errc::file_exists) return refused(name, "is there twice");
    if (error) return refused(name, fmt::format("cannot be linked: {}", error.message()));
    return {};
  }

  Result<void> write(archive_entry* entry, const std::string& name, const fs::path& path) {
    if (archive_entry_size_is_set(entry) != 0) {
      OPBENCH_CHECK(check_size(name, archive_entry_size(entry)));
    }
    const NewFile file(folder_ / path);
    if (!file.is_open()) {
      return errno == EEXIST ? refused(name, "is there twice") : unwritable(folder_ / path);
    }
    int64_t end = 0;
    while (true) {
      const void* bytes = nullptr;
      size_t size = 0;
      la_int64_t offset = 0;
      const int code = archive_read_data_block(reader_.get(), &bytes, &size, &offset);
      if (code == ARCHIVE_EOF) break;
      if (code != ARCHIVE_OK && code != ARCHIVE_WARN) return damaged();
      if (cancel_ != nullptr && *cancel_) {
        return Error{ErrorCode::kInterrupted, "interrupted while the archive was unpacked"};
      }
      if (offset < 0) return damaged();
      const int64_t size_now = std::max(end, offset + static_cast<int64_t>(size));
      OPBENCH_CHECK(check_size(name, size_now));
      if (!file.write_at(bytes, size, offset)) return unwritable(folder_ / path);
      end = size_now;
    }
    // The file may end in a hole.
    if (archive_entry_size_is_set(entry) != 0)
      end = std::max(end, int64_t{archive_entry_size(entry)});
    if (!file.set_size(end)) return unwritable(folder_ / path);
    bytes_ += end;
    return {};
  }

  /// Before a file has `size` bytes.
  Result<void> check_size(const std::string& name, int64_t size) const {
    const auto grown = static_cast<double>(limits_.most_growth) * packed_bytes_;
    const double allowed = std::min(static_cast<double>(limits_.most_bytes),
                                    std::max(static_cast<double>(limits_.free_bytes), grown));
    const double all = static_cast<double>(bytes_) + static_cast<double>(size);
    if (size >= 0 && all <= allowed) return {};
    return refused(name, fmt::format("makes it larger than {}", size_text(allowed)))
        .with("the archive has", size_text(packed_bytes_));
  }

  const fs::path& archive_;
  const fs::path& folder_;
  const UnpackLimits& limits_;
  const std::atomic<bool>* cancel_;
  Reader reader_;
  double packed_bytes_ = 0;
  int64_t files_ = 0;
  int64_t bytes_ = 0;  ///< of the files that are whole
};

}  // namespace

bool is_archive(const fs::path& file) {
  constexpr size_t kHead = 512;
  constexpr size_t kTarMark = 257;
  std::string head(kHead, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  const std::string_view bytes = head;
  constexpr std::array kMarks = {"\x1f\x8b"sv, "BZh"sv, "\xfd\x37zXZ\0"sv, "\x28\xb5\x2f\xfd"sv,
                                 "PK\x03\x04"sv};
  const bool begins =
      std::ranges::any_of(kMarks, [&](auto mark) { return bytes.starts_with(mark); });
  return begins || bytes.substr(kTarMark).starts_with("ustar");
}

Result<void> unpack(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits,
                    const std::atomic<bool>* cancel) {
  OPBENCH_CHECK(load_download_libraries());
  return Unpacking(archive, folder, limits, cancel).run();
}

}  // namespace opbench
