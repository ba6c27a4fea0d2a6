#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/space/argument.h"
#include "records/json/json_scan.h"
#include "records/json/record_grammar.h"

namespace simdjson::dom {
class element;
}

namespace opbench {

std::optional<std::string> string_of(const simdjson::dom::element& value);
std::optional<double> number_of(const simdjson::dom::element& value);
/// The items of an array of `count`, nothing if it is none.
std::optional<std::vector<simdjson::dom::element>> items_of(const simdjson::dom::element& value,
                                                            size_t count);

/// Reads JSON lines, and finds the columns of their faults. What it gives out is valid until the
/// next line.
class JsonLine {
 public:
  JsonLine();
  JsonLine(JsonLine&&) noexcept;
  JsonLine& operator=(JsonLine&&) noexcept;
  ~JsonLine();

  /// The line's value; nothing and an issue E_JSON if it has none. The words NaN and Infinity and
  /// numbers beyond 64 bits are taken, see special_number().
  const simdjson::dom::element* parse(std::string_view text, std::vector<RecordIssue>& issues);

  /// The word or number that JSON has no form for, if `string` stands for one; else empty.
  std::string_view special_number(std::string_view string) const;

  /// In bytes from 1.
  int64_t column(const JsonPlace& place) const;

  /// The text of the value at a place, as the line has it.
  std::string_view text_of(const JsonPlace& place) const;

  /// An argument of any kind but tensors, objects and symbols: arrays are tuples. Nothing for an
  /// object.
  std::optional<Argument> argument(const simdjson::dom::element& value) const;

  /// Any value as Python writes it.
  std::string python_text(const simdjson::dom::element& value) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace opbench
