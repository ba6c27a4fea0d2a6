#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opbench {

/// The lines before a body, of the last of several answers (redirects have their own).
class ResponseHead {
 public:
  /// Takes one line as it came, `HTTP/1.1 200 OK` first.
  void take(std::string_view line);

  /// For If-Range: a strong ETag, else the time of the last change; empty: neither.
  const std::string& validator() const { return etag_.empty() ? last_modified_ : etag_; }

  /// The line that an answer begins with.
  const std::string& status_line() const { return status_line_; }

  /// Content-Range as `bytes FROM-TO/TOTAL`: false where it says something else.
  bool has_range() const { return from_ >= 0; }
  int64_t from() const { return from_; }
  int64_t total() const { return total_; }  ///< -1: not said

 private:
  std::string status_line_;
  std::string etag_;
  std::string last_modified_;
  int64_t from_ = -1;
  int64_t total_ = -1;
};

}  // namespace opbench
