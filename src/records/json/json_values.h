#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "records/json/record_grammar.h"

namespace opbench {

/// The text of one JSON value of a file. It is only cut out, not yet looked into.
struct JsonSlice {
  std::string_view text;  ///< valid until the next one is read
  std::string key;        ///< of the member, when objects are gone into
  int64_t line = 0;       ///< of its first byte, in its file
  int64_t column = 0;
  std::optional<RecordIssue> issue;  ///< why there is no text: E_JSON or E_TORN
  bool is_torn = false;              ///< a line without its newline, at the end of the file
};

/// Cuts a file into JSON values in memory that does not depend on its size: one object, several,
/// the items of an array, or one value a line. A bad line takes no other with it.
class JsonValues {
 public:
  struct Options {
    bool into_objects = false;  ///< members of the outermost object, items of those that are arrays
    size_t most_bytes = size_t{16} << 20;  ///< of a value; longer ones are passed over
  };
  /// `kInvalidInput` if the file cannot be opened.
  static Result<JsonValues> open(const std::string& path, const Options& options);

  /// The next value, nothing at the end; `kSystem` when reading fails.
  Result<std::optional<JsonSlice>> next();

 private:
  /// What is being read the values of.
  enum class Inside { kNothing, kLines, kArray, kObject, kMember };

  Result<void> fill();
  int peek();
  void take();
  void skip_blanks();
  void pass_plain_text();
  bool looks_like_lines() const;
  std::optional<JsonSlice> step();
  std::optional<JsonSlice> outside();
  std::optional<JsonSlice> item(char end, Inside then);
  std::optional<JsonSlice> member();
  bool take_key();
  JsonSlice line();
  JsonSlice value();
  JsonSlice stray(const std::string& expected);
  JsonSlice begin_slice();
  void keep(std::string_view bytes, JsonSlice& slice);

  struct Close {
    void operator()(std::FILE* file) const;
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string path_;
  Options options_;
  std::string buffer_;
  size_t at_ = 0;
  size_t end_ = 0;
  bool is_at_end_ = false;
  std::optional<Error> failure_;
  int64_t line_ = 1;
  int64_t column_ = 1;
  Inside inside_ = Inside::kNothing;
  std::string key_;
  std::string text_;
};

}  // namespace opbench
