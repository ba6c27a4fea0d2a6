#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace opbench {

/// A part of a record that is kept as it is: compact JSON with sorted keys.
struct JsonText {
  std::string text = "{}";
  bool operator==(const JsonText&) const = default;
};

/// One result with all that is needed to repeat it: benchmark schema 0.2
/// (docs/reference/benchmark-records.md, "Schema 0.2"). Its members are the fields of a line, which
/// benchmark_fields.inc lists with their meanings. Times in milliseconds a call.
struct BenchmarkRecord {
  using Word = std::string;  ///< every record has it
  using Text = std::optional<std::string>;
  using Whole = std::optional<int64_t>;
  using Number = std::optional<double>;
  using Flag = std::optional<bool>;
  using TextList = std::optional<std::vector<std::string>>;
  using NumberList = std::optional<std::vector<double>>;
  using TextMap = std::optional<std::map<std::string, std::string>>;
  using NumberMap = std::optional<std::map<std::string, double>>;
  using CountMap = std::optional<std::map<std::string, int64_t>>;
  using Object = std::optional<JsonText>;  ///< or a list

#define OPBENCH_FIELD(kind, name, ...) kind name;
#define OPBENCH_FIELD_SET(kind, name, value, ...) kind name = value;
#include "records/record/benchmark_fields.inc"

  JsonText extras;              ///< keys that the schema does not have, with their values
  std::set<std::string> nulls;  ///< fields that are there and null
  bool operator==(const BenchmarkRecord&) const = default;
};

}  // namespace opbench
