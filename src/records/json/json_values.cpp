#include "records/json/json_values.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/files/text_file.h"

namespace opbench {
namespace {

constexpr size_t kBufferBytes = size_t{256} << 10;
constexpr int kEnd = -1;

bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Where in a value the reader stands: how deep, and whether inside a string.
class Nesting {
 public:
  void see(char c) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (is_string_) {
      is_escaped_ = c == '\\';
      is_string_ = c != '"';
    } else if (c == '"') {
      is_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      --depth_;
    }
  }
  bool is_closed() const { return depth_ <= 0 && !is_string_; }
  /// Whether characters but quotes and backslashes change nothing.
  bool is_inside_string() const { return is_string_ && !is_escaped_; }

 private:
  int64_t depth_ = 0;
  bool is_string_ = false;
  bool is_escaped_ = false;
};

bool is_closed(std::string_view text) {
  Nesting nesting;
  for (const char c : text) nesting.see(c);
  return nesting.is_closed();
}

}  // namespace

void JsonValues::Close::operator()(std::FILE* file) const { std::fclose(file); }

Result<JsonValues> JsonValues::open(const std::string& path, const Options& options) {
  JsonValues values;
  values.path_ = path;
  values.options_ = options;
  values.file_.reset(std::fopen(path.c_str(), "rbe"));
  if (!values.file_) {
    return Error{ErrorCode::kInvalidInput, "cannot read \"" + path + "\": " + std::strerror(errno)};
  }
  struct stat info {};
  if (::fstat(::fileno(values.file_.get()), &info) == 0 && S_ISDIR(info.st_mode)) {
    return Error{ErrorCode::kInvalidInput, "cannot read \"" + path + "\": it is a folder"};
  }
  values.buffer_.resize(kBufferBytes);
  OPBENCH_CHECK(values.fill());
  values.at_ = utf8_mark_bytes(std::string_view(values.buffer_).substr(0, values.end_));
  if (!options.into_objects && values.looks_like_lines()) values.inside_ = Inside::kLines;
  return values;
}

/// The next bytes, after all of the buffer was used.
Result<void> JsonValues::fill() {
  at_ = end_ = 0;
  while (end_ < buffer_.size() && !is_at_end_) {
    const ssize_t count =
        ::read(::fileno(file_.get()), buffer_.data() + end_, buffer_.size() - end_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      is_at_end_ = true;
      return Error{ErrorCode::kSystem, "cannot read \"" + path_ + "\": " + std::strerror(errno)};
    }
    end_ += static_cast<size_t>(count);
    is_at_end_ = count == 0;
  }
  return {};
}

int JsonValues::peek() {
  if (at_ == end_ && !is_at_end_) {
    auto filled = fill();
    if (!filled) failure_ = std::move(filled.error());
  }
  return at_ == end_ ? kEnd : static_cast<unsigned char>(buffer_[at_]);
}

void JsonValues::take() {
  ++column_;
  if (buffer_[at_++] != '\n') return;
  ++line_;
  column_ = 1;
}

void JsonValues::skip_blanks() {
  while (is_blank(peek())) take();
}

/// An array, or an object that goes on behind its first line, is a document. An object whose first
/// line is broken is told from it by the next one, which begins like it.
bool JsonValues::looks_like_lines() const {
  std::string_view head = std::string_view(buffer_).substr(at_, end_ - at_);
  head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
  if (head.empty() || head.front() != '{') return !head.starts_with('[');
  const size_t newline = head.find('\n');
  if (newline == std::string_view::npos) return true;
  const size_t next = head.find_first_not_of("\r\n", newline);
  if (next != std::string_view::npos && head[next] == '{') return true;
  return is_closed(head.substr(0, newline));
}

Result<std::optional<JsonSlice>> JsonValues::next() {
  while (true) {
    skip_blanks();
    if (failure_) return *failure_;
    if (peek() == kEnd && (inside_ == Inside::kNothing || inside_ == Inside::kLines)) {
      return std::optional<JsonSlice>();
    }
    auto slice = step();
    if (failure_) return *failure_;
    if (slice) return slice;
  }
}

/// What stands here, or nothing when it only leads on to the next.
std::optional<JsonSlice> JsonValues::step() {
  if (peek() == kEnd) {
    JsonSlice slice = begin_slice();
    inside_ = Inside::kNothing;
    slice.issue = {.code = "E_TORN", .message = "the file ends before what it holds is closed"};
    return slice;
  }
  switch (inside_) {
    case Inside::kLines:
      return line();
    case Inside::kArray:
      return item(']', Inside::kNothing);
    case Inside::kMember:
      return item(']', Inside::kObject);
    case Inside::kObject:
      return member();
    case Inside::kNothing:
      break;
  }
  return outside();
}

std::optional<JsonSlice> JsonValues::outside() {
  if (peek() == '[' || (options_.into_objects && peek() == '{')) {
    inside_ = peek() == '[' ? Inside::kArray : Inside::kObject;
    take();
    return {};
  }
  if (peek() == '{') return value();
  return stray("a JSON object or array");
}

/// Of an array; commas are not counted.
std::optional<JsonSlice> JsonValues::item(char end, Inside then) {
  if (peek() == end) {
    take();
    inside_ = then;
    if (then == Inside::kNothing) key_.clear();
    return {};
  }
  if (peek() == ',') {
    take();
    return {};
  }
  if (peek() == '}' || peek() == ':') return stray("a value");
  return value();
}

std::optional<JsonSlice> JsonValues::member() {
  if (peek() == '}' || peek() == ',') {
    if (peek() == '}') inside_ = Inside::kNothing;
    take();
    return {};
  }
  if (peek() != '"') return stray("a key in quotes");
  if (!take_key()) return stray("a key and a colon");
  if (peek() == kEnd) return {};
  if (peek() != '[') return value();
  inside_ = Inside::kMember;
  take();
  return {};
}

/// With its colon and the blanks behind it. Keys are compared with known ones: their escapes stay.
bool JsonValues::take_key() {
  constexpr size_t kLongestKey = 1000;
  key_.clear();
  take();
  while (peek() != kEnd && peek() != '"' && peek() != '\n' && key_.size() < kLongestKey) {
    key_ += buffer_[at_];
    take();
  }
  if (peek() != '"') return false;
  take();
  skip_blanks();
  if (peek() != ':') return false;
  take();
  skip_blanks();
  return true;
}

JsonSlice JsonValues::begin_slice() {
  text_.clear();
  return {.key = key_, .line = line_, .column = column_};
}

void JsonValues::keep(std::string_view bytes, JsonSlice& slice) {
  const size_t room = options_.most_bytes - text_.size();
  text_.append(bytes.substr(0, room));
  if (bytes.size() <= room || slice.issue) return;
  slice.issue = {
      .code = "E_JSON",
      .message = "the value is longer than " + std::to_string(options_.most_bytes >> 20) + " MiB",
      .column = slice.column};
}

JsonSlice JsonValues::line() {
  JsonSlice slice = begin_slice();
  while (peek() != kEnd && peek() != '\n') {
    const std::string_view held = std::string_view(buffer_).substr(at_, end_ - at_);
    const std::string_view text = held.substr(0, held.find('\n'));
    keep(text, slice);
    at_ += text.size();
  }
  slice.is_torn = peek() == kEnd;
  if (!slice.issue) slice.text = text_;
  return slice;
}

/// Up to a quote, a backslash or the end of a line.
void JsonValues::pass_plain_text() {
  size_t to = at_;
  while (to < end_ && buffer_[to] != '"' && buffer_[to] != '\\' && buffer_[to] != '\n') ++to;
  column_ += static_cast<int64_t>(to - at_);
  at_ = to;
}

JsonSlice JsonValues::value() {
  JsonSlice slice = begin_slice();
  const bool is_nested = peek() == '{' || peek() == '[' || peek() == '"';
  Nesting nesting;
  bool is_whole = false;
  while (!is_whole && peek() != kEnd) {
    const size_t begin = at_;
    while (at_ < end_ && !is_whole) {
      if (nesting.is_inside_string()) pass_plain_text();
      if (at_ == end_) break;
      const char c = buffer_[at_];
      is_whole = !is_nested && (is_blank(c) || c == ',' || c == ']' || c == '}');
      if (is_whole) break;
      nesting.see(c);
      take();
      is_whole = is_nested && nesting.is_closed();
    }
    keep(std::string_view(buffer_).substr(begin, at_ - begin), slice);
  }
  if (is_nested && !is_whole) {
    slice.issue = {
        .code = "E_TORN", .message = "the file ends before the value does", .column = slice.column};
    inside_ = Inside::kNothing;
  }
  if (!slice.issue) slice.text = text_;
  return slice;
}

/// Passes over the rest of the line.
JsonSlice JsonValues::stray(const std::string& expected) {
  JsonSlice slice = begin_slice();
  slice.issue = {.code = "E_JSON", .message = "expected " + expected, .column = column_};
  while (peek() != kEnd && peek() != '\n') take();
  return slice;
}

}  // namespace opbench
