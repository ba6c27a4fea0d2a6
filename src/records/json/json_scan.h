#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opbench {

/// A place inside a JSON value: the steps from its root. Those who descend keep it on their stack.
struct JsonPlace {
  const JsonPlace* parent = nullptr;
  std::string_view key = {};  ///< of an object's field
  int64_t index = -1;         ///< of an array's item
  JsonPlace field(std::string_view name) const { return {this, name}; }
  JsonPlace item(size_t number) const { return {this, {}, static_cast<int64_t>(number)}; }
  /// `config.entity[2][1]`; empty for the root
  std::string text() const;
};

struct JsonFault {
  size_t offset = 0;
  std::string reason;
};

/// Finds places in the text of one JSON value, and what a strict parser does not take in it: the
/// words NaN, Infinity and -Infinity of Python, integers beyond 64 bits, numbers beyond double.
class JsonScan {
 public:
  explicit JsonScan(std::string_view text);

  /// What no parser can read; nothing if the text is one value.
  const std::optional<JsonFault>& fault() const { return fault_; }

  /// The text with those words and numbers as strings `"<mark><word>"`.
  struct Quoted {
    std::string text;
    char mark = 0;  ///< a control character that is nowhere else in the text
  };
  /// Nothing if there are none, or no such character.
  std::optional<Quoted> with_words_quoted() const;

  /// Where the value at `place` begins; its nearest parent if it is not there.
  size_t offset_of(const JsonPlace& place);
  /// The text of that value.
  std::string_view text_of(const JsonPlace& place);

 private:
  struct Span {
    size_t begin = 0;
    size_t size = 0;
  };
  bool fail(std::string reason);
  void skip_blanks();
  bool value(int depth);
  bool object(int depth);
  bool array(int depth);
  bool string();
  bool number();
  bool digits();
  bool word(std::string_view text, bool is_strict);
  bool descend(const JsonPlace& step);

  std::string_view text_;
  size_t at_ = 0;
  std::optional<JsonFault> fault_;
  std::vector<Span> words_;
};

/// Where the first byte stands that is not UTF-8; the size if there is none.
size_t first_invalid_utf8(std::string_view text);

}  // namespace opbench
