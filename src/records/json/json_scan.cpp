#include "records/json/json_scan.h"

#include <charconv>
#include <cmath>

namespace opbench {
namespace {

constexpr int kJsonScanDeepest = 1000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a strict parser can hold it: 64 bits, or a finite double.
bool is_plain_number(std::string_view text) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (text.find_first_of(".eE") == std::string_view::npos) {
    int64_t whole = 0;
    uint64_t positive = 0;
    return std::from_chars(begin, end, whole).ec == std::errc() ||
           std::from_chars(begin, end, positive).ec == std::errc();
  }
  double real = 0;
  const auto read = std::from_chars(begin, end, real);
  // An underflow is no reason to refuse: it reads as zero.
  return read.ec == std::errc() || text.find("e-") != std::string_view::npos ||
         text.find("E-") != std::string_view::npos;
}

/// Bytes of the character that the text begins with; 0 if they are not UTF-8.
size_t utf8_size(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || size > text.size()) return 0;
  for (size_t k = 1; k < size; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80) return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool is_overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool is_beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return is_overlong || is_beyond ? 0 : size;
}

}  // namespace

std::string JsonPlace::text() const {
  std::string before = parent == nullptr ? "" : parent->text();
  if (index >= 0) return before + "[" + std::to_string(index) + "]";
  if (key.empty()) return before;
  return before.empty() ? std::string(key) : before + "." + std::string(key);
}

JsonScan::JsonScan(std::string_view text) : text_(text) {
  if (!value(0)) return;
  skip_blanks();
  if (at_ < text_.size()) fail("more text after the value");
}

std::optional<JsonScan::Quoted> JsonScan::with_words_quoted() const {
  if (fault_ || words_.empty()) return {};
  const char* marks = "1234567be";  // of \u0001 and so on, without those that have a letter
  while (*marks != 0 && text_.find(std::string("\\u000") + *marks) != std::string_view::npos)
    ++marks;
  if (*marks == 0) return {};
  const char mark = *marks == 'b'   ? '\x0b'
                    : *marks == 'e' ? '\x0e'
                                    : static_cast<char>(*marks - '0');
  Quoted result{.mark = mark};
  size_t done = 0;
  for (const Span& span : words_) {
    result.text.append(text_.substr(done, span.begin - done));
    result.text.append("\"\\u000").append(1, *marks);
    result.text.append(text_.substr(span.begin, span.size)).append("\"");
    done = span.begin + span.size;
  }
  result.text.append(text_.substr(done));
  return result;
}

size_t JsonScan::offset_of(const JsonPlace& place) {
  if (place.parent == nullptr) {
    at_ = 0;
    skip_blanks();
    return at_;
  }
  const size_t parent = offset_of(*place.parent);
  at_ = parent;
  if (!descend(place)) return parent;
  skip_blanks();
  return at_;
}

std::string_view JsonScan::text_of(const JsonPlace& place) {
  const size_t begin = offset_of(place);
  at_ = begin;
  value(0);
  return text_.substr(begin, at_ - begin);
}

/// From the begin of a container to that of one of its values.
bool JsonScan::descend(const JsonPlace& step) {
  const bool is_array = step.index >= 0;
  if (at_ >= text_.size() || text_[at_] != (is_array ? '[' : '{')) return false;
  ++at_;
  for (int64_t i = 0;; ++i) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] == ']' || text_[at_] == '}') return false;
    bool is_wanted = i == step.index;
    if (!is_array) {
      const size_t begin = at_;
      if (!string()) return false;
      is_wanted = text_.substr(begin + 1, at_ - begin - 2) == step.key;
      skip_blanks();
      ++at_;  // the colon
    }
    if (is_wanted) return true;
    if (!value(0)) return false;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == ',') ++at_;
  }
}

bool JsonScan::fail(std::string reason) {
  if (!fault_) {
    if (at_ >= text_.size()) reason = "the text ends inside of a value";
    fault_ = JsonFault{at_, std::move(reason)};
  }
  return false;
}

void JsonScan::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
    ++at_;
  }
}

bool JsonScan::value(int depth) {
  skip_blanks();
  if (depth > kJsonScanDeepest)
    return fail("nested deeper than " + std::to_string(kJsonScanDeepest));
  if (at_ >= text_.size()) return fail("");
  switch (text_[at_]) {
    case '{':
      return object(depth);
    case '[':
      return array(depth);
    case '"':
      return string();
    case 't':
      return word("true", true);
    case 'f':
      return word("false", true);
    case 'n':
      return word("null", true);
    case 'N':
      return word("NaN", false);
    case 'I':
      return word("Infinity", false);
    default:
      return text_.substr(at_).starts_with("-I") ? word("-Infinity", false) : number();
  }
}

bool JsonScan::object(int depth) {
  ++at_;
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '}') return ++at_, true;
  while (true) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != '"') return fail("expected a key in quotes");
    if (!string()) return false;
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != ':') return fail("expected \":\"");
    ++at_;
    if (!value(depth + 1)) return false;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '}') return ++at_, true;
    if (at_ >= text_.size() || text_[at_] != ',') return fail("expected \",\" or \"}\"");
    ++at_;
  }
}

bool JsonScan::array(int depth) {
  ++at_;
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == ']') return ++at_, true;
  while (true) {
    if (!value(depth + 1)) return false;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == ']') return ++at_, true;
    if (at_ >= text_.size() || text_[at_] != ',') return fail("expected \",\" or \"]\"");
    ++at_;
  }
}

bool JsonScan::string() {
  for (++at_; at_ < text_.size(); ++at_) {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') return ++at_, true;
    if (c < 0x20) return fail("a control character in a string");
    if (c != '\\') continue;
    ++at_;
    if (at_ >= text_.size()) break;
    constexpr std::string_view kEscapes = "\"\\/bfnrtu";
    if (kEscapes.find(text_[at_]) == std::string_view::npos) return fail("an unknown escape");
  }
  return fail("");
}

bool JsonScan::digits() {
  const size_t first = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  return at_ > first || fail("unexpected text");
}

bool JsonScan::number() {
  const size_t begin = at_;
  const auto take = [&](std::string_view characters) {
    const bool is_there =
        at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos;
    if (is_there) ++at_;
    return is_there;
  };
  take("-");
  const size_t first = at_;
  if (!digits()) return false;
  if (text_[first] == '0' && at_ > first + 1)
    return at_ = first, fail("a number that begins with 0");
  if (take(".") && !digits()) return false;
  if (take("eE")) {
    take("+-");
    if (!digits()) return false;
  }
  if (!is_plain_number(text_.substr(begin, at_ - begin))) words_.push_back({begin, at_ - begin});
  return true;
}

bool JsonScan::word(std::string_view text, bool is_strict) {
  if (!text_.substr(at_).starts_with(text)) {
    if (text.starts_with(text_.substr(at_))) at_ = text_.size();
    return fail("unexpected text");
  }
  if (!is_strict) words_.push_back({at_, text.size()});
  at_ += text.size();
  return true;
}

size_t first_invalid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t size = utf8_size(text.substr(i));
    if (size == 0) return i;
    i += size;
  }
  return text.size();
}

}  // namespace opbench
