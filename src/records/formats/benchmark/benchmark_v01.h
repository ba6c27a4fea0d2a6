#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "records/json/record_grammar.h"
#include "records/record/benchmark_record.h"

/// TVM's benchmark log format 0.1, which has two forms with one version number
/// (docs/reference/benchmark-records.md, "Schema 0.1"): B, a table of columns, and D, a page of
/// TVM's documentation.
namespace opbench {

enum class BenchmarkForm { kB, kD };

/// Keys of a record that only one of the forms has.
struct FormKeys {
  std::vector<std::string> only_b;
  std::vector<std::string> only_d;
  /// The form; of a record with keys of both, D.
  BenchmarkForm form() const {
    return only_b.empty() || !only_d.empty() ? BenchmarkForm::kD : BenchmarkForm::kB;
  }
};
FormKeys form_keys(const Json& record);

struct ReadOptions {
  int64_t now_us = 0;   ///< microseconds since 1970; 0: any moment after 2010 is accepted
  bool strict = false;  ///< codes W_ that --strict makes errors are errors
};

/// The record of schema 0.2, as JSON. Issues have the codes of docs/reference/benchmark-records.md,
/// "Schema 0.1", and the old field's name; what is wrong with single values is left to
/// validate_record.
Json upgrade_benchmark(const Json& old, const ReadOptions& options,
                       std::vector<RecordIssue>& issues);

/// The name that a field of schema 0.2 has in a form, for messages; the field itself if none.
std::string old_name(std::string_view field, BenchmarkForm form);

/// The record in a form of 0.1: every field that the form has a name for. `kInvalidInput` for a
/// failed record, which neither has a form for.
Result<Json> downgrade_benchmark(const BenchmarkRecord& record, BenchmarkForm form);

/// Keys of additional_info (B) that are metrics.
const std::vector<std::string>& metrics_of_form_b();
/// Keys of runtime_config (B) that are software.
const std::vector<std::string>& software_of_form_b();
/// Names that the optimisation level has beside compilation_config.opt_level.
const std::vector<std::string>& old_names_of_opt_level();

/// Of one line, object or item of a file.
struct DecodedBenchmark {
  std::optional<BenchmarkRecord> record;  ///< none if an issue is an error
  std::vector<RecordIssue> issues;
};

/// Reads a record of either version strictly. `line` and `column` are where the text begins;
/// issues have the places of their fields.
DecodedBenchmark decode_benchmark(std::string_view text, const ReadOptions& options = {},
                                  int64_t line = 1, int64_t column = 1);

}  // namespace opbench
