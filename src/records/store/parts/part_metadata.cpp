#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "records/store/store_folder.h"

namespace opbench {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr size_t kTail = 8;  ///< length of the metadata, magic

struct OpenFile {
  int fd;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
};

bool read_at(int fd, std::string& bytes, off_t offset) {
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::pread(fd, bytes.data() + filled, bytes.size() - filled,
                                offset + static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    filled += static_cast<size_t>(got);
  }
  return true;
}

/// The value of a key in the metadata. Thrift's compact form writes a pair as 0x18, length, key,
/// 0x18, length, value, with lengths of seven bits a byte.
std::string_view part_metadata_value_of(std::string_view metadata, std::string_view key) {
  const std::string marker = fmt::format("\x18{}{}\x18", static_cast<char>(key.size()), key);
  size_t at = metadata.find(marker);
  if (at == std::string_view::npos) return {};
  at += marker.size();
  uint64_t length = 0;
  constexpr int kMostBits = 35;
  for (int shift = 0; at < metadata.size() && shift < kMostBits; shift += 7) {
    const auto byte = static_cast<unsigned char>(metadata[at++]);
    length |= static_cast<uint64_t>(byte & 0x7fU) << shift;
    if ((byte & 0x80U) == 0) break;
  }
  return length <= metadata.size() - at ? metadata.substr(at, length) : std::string_view();
}

}  // namespace

Result<std::vector<std::string>> read_replaced(const std::filesystem::path& part, bool& is_gone) {
  const auto fault = [&](std::string_view reason) {
    return Error{ErrorCode::kSystem, fmt::format("cannot read \"{}\": {}", part.string(), reason)};
  };
  const OpenFile file{::open(part.c_str(), O_RDONLY | O_CLOEXEC)};
  is_gone = file.fd < 0 && errno == ENOENT;
  if (file.fd < 0) return fault(std::strerror(errno));
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return fault(std::strerror(errno));
  std::string tail(kTail, '\0');
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size < 2 * kTail || !read_at(file.fd, tail, info.st_size - static_cast<off_t>(kTail)) ||
      !tail.ends_with(kMagic)) {
    return fault("it is not a whole Parquet file");
  }
  uint32_t length = 0;
  std::memcpy(&length, tail.data(), sizeof length);
  if (length > size - kTail) return fault("it is not a whole Parquet file");
  std::string metadata(length, '\0');
  if (!read_at(file.fd, metadata, static_cast<off_t>(size - kTail - length))) {
    return fault("it is not a whole Parquet file");
  }
  std::vector<std::string> names;
  std::string_view value = part_metadata_value_of(metadata, "opbench.replaces");
  while (!value.empty()) {
    const size_t end = std::min(value.find(' '), value.size());
    names.emplace_back(value.substr(0, end));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return names;
}

}  // namespace opbench
