#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opbench {

/// A code of docs/reference/formats.md, "Issue codes" (`E_…` an error, `W_…` a warning), the field
/// and what is wrong.
struct RecordIssue {
  std::string code;
  std::string field;
  std::string message;
  int64_t column = 0;       ///< in bytes from 1; 0: the fault has no place
  bool is_warning = false;  ///< an `E_…` that does not make the record unusable
  int64_t line = 0;  ///< where `column` is, if not on the record's first line; 1 is the first
  bool is_error() const { return code.starts_with("E_") && !is_warning; }
  bool operator==(const RecordIssue&) const = default;
};

/// The issue as --strict has it: what was let pass is an error, unknown keys and a missing docker
/// tag too.
RecordIssue strict_form(RecordIssue issue);

/// The columns that a workload's name is split into (docs/reference/benchmark-records.md, "Workload
/// names"); the name itself is the identity.
struct WorkloadName {
  std::string domain;  ///< topi, relay, ai.onnx, opbench, …; empty for a plain name
  std::string name;
  std::string sha;  ///< of TVM, for topi and relay
};

/// Issues: E_WORKLOAD, E_DOMAIN_RESERVED, E_WORKLOAD_SHA, W_NO_DOMAIN, W_COLON.
WorkloadName parse_workload_name(std::string_view text, std::vector<RecordIssue>& issues);

struct EngineVersion {
  std::string semver;  ///< only when it matches SemVer 2
  std::string sha;
};

/// `VERSION`, `SHA` or `VERSION:SHA` (docs/reference/benchmark-records.md, "Engine versions").
/// Issues: E_ENGINE_SHA, W_NOT_SEMVER.
EngineVersion parse_engine_version(std::string_view text, std::vector<RecordIssue>& issues);

/// Microseconds since 1970 of the text forms of docs/reference/benchmark-records.md, "Timestamps".
/// Issues: E_TIMESTAMP (then nothing is returned), E_TIMESTAMP_RANGE (before 2010, or more than a
/// day after `now_us`), W_TZ_ASSUMED.
std::optional<int64_t> parse_timestamp(std::string_view text, int64_t now_us,
                                       std::vector<RecordIssue>& issues);

/// `int|uint|float|bfloat` BITS [`x` LANES], `bool`, `handle`, `custom[name]BITS`.
bool is_dtype(std::string_view text);

}  // namespace opbench
