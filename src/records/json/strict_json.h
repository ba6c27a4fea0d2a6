#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "records/json/record_grammar.h"

namespace opbench {

/// A JSON value read strictly: beyond what any parser refuses, a key that is there twice, more than
/// 10 000 keys in one object, an integer beyond 64 bits and nesting deeper than 100 are faults.
class StrictJson {
 public:
  /// Nothing and an issue E_JSON with its place if the text is not one value. `line` and `column`
  /// are where the text begins in its file. Text that looks like the tables of the documentation
  /// (curly quotes, bare words, `"key", value`) is called so.
  static std::optional<StrictJson> parse(std::string_view text, std::vector<RecordIssue>& issues,
                                         int64_t line = 1, int64_t column = 1);

  const Json& value() const { return *value_; }

  /// Gives the issues that name a field of the object the place of the field's value.
  void place(std::vector<RecordIssue>& issues) const;

 private:
  struct Place {
    std::string field;
    int64_t line = 0;
    int64_t column = 0;
  };
  std::shared_ptr<const Json> value_;
  std::vector<Place> places_;
};

}  // namespace opbench
