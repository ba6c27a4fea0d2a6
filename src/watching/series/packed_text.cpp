#include "watching/series/packed_text.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/files/file.h"
#include "base/files/text_file.h"

namespace opbench {
namespace {

constexpr size_t kMostTextBytes = size_t{4} << 30;
constexpr size_t kInflateBytes = size_t{1} << 20;
constexpr int kGzipWindow = 15 + 16;

Error cannot_unpack(const std::string& path, const std::string& reason) {
  return invalid_input("cannot unpack \"" + path + "\": " + reason);
}

/// Inflates one member after the other.
class Unpacker {
 public:
  Unpacker(const std::string& packed, const std::string& path) : packed_(packed), path_(path) {}
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  ~Unpacker() { inflateEnd(&stream_); }

  Result<std::string> unpack() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) return cannot_unpack(path_, "no memory");
    while (at_ < packed_.size()) {
      OPBENCH_CHECK(unpack_member());
      const std::string_view rest = std::string_view(packed_).substr(at_);
      if (!rest.starts_with("\x1f\x8b")) break;  // what follows the last member is padding
      inflateReset(&stream_);
    }
    return std::move(text_);
  }

 private:
  Result<void> unpack_member() {
    while (true) {
      const size_t given = std::min(packed_.size() - at_, kInflateBytes);
      // zlib reads through a pointer that is not const, and writes nothing there.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + at_));
      stream_.avail_in = static_cast<uInt>(given);
      const size_t size = text_.size();
      if (size > kMostTextBytes) return cannot_unpack(path_, "it holds more than 4 GiB");
      text_.resize(size + kInflateBytes);
      stream_.next_out = reinterpret_cast<Bytef*>(text_.data() + size);
      stream_.avail_out = static_cast<uInt>(kInflateBytes);
      const int state = inflate(&stream_, Z_NO_FLUSH);
      text_.resize(size + kInflateBytes - stream_.avail_out);
      at_ += given - stream_.avail_in;
      if (state == Z_STREAM_END) return {};
      if (at_ >= packed_.size() && text_.size() == size) {
        return cannot_unpack(path_, "its end is missing");
      }
      if (state != Z_OK && state != Z_BUF_ERROR) return cannot_unpack(path_, "it is damaged");
    }
  }

  const std::string& packed_;
  const std::string& path_;
  z_stream stream_ = {};
  size_t at_ = 0;
  std::string text_;
};

}  // namespace

Result<std::string> read_packed_text(const std::string& path) {
  OPBENCH_TRY(std::string text, read_file(path == "-" ? "/dev/stdin" : path));
  if (text.starts_with("\x1f\x8b")) {
    OPBENCH_TRY(text, Unpacker(text, path).unpack());
  }
  OPBENCH_CHECK(check_encoding(text, path));
  text.erase(0, utf8_mark_bytes(text));
  return text;
}

}  // namespace opbench
