#include "model/download/response_head.h"

#include <algorithm>

#include "base/numbers/number.h"
#include "base/text/ascii.h"

namespace opbench {
namespace {

/// Values are sent back to the server and kept in a file: odd bytes are not worth it.
bool is_plain(std::string_view text) {
  constexpr size_t kLongest = 512;
  const auto is_plain_byte = [](unsigned char c) { return c >= ' ' && c < 0x7f; };
  return text.size() <= kLongest && std::ranges::all_of(text, is_plain_byte);
}

}  // namespace

void ResponseHead::take(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    *this = {};
    status_line_ = trimmed(line);
    return;
  }
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = lower_case(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "etag" && is_plain(value) && value.starts_with('"')) etag_ = value;
  if (name == "last-modified" && is_plain(value)) last_modified_ = value;
  if (name != "content-range" || !value.starts_with("bytes ")) return;
  const std::string_view range = trimmed(value.substr(value.find(' ')));
  const auto from = parse_integer(range.substr(0, range.find('-')));
  const size_t slash = range.find('/');
  if (!from || *from < 0 || slash == std::string_view::npos) return;
  from_ = *from;
  if (const auto total = parse_integer(range.substr(slash + 1)); total && *total >= 0) {
    total_ = *total;
  }
}

}  // namespace opbench
