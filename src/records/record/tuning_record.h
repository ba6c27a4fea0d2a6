#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/argument.h"
#include "kernels/space/knob_config.h"

namespace opbench {

enum class TuningFormat { kAutotvm01, kAutotvm02, kAnsor, kMetaschedule, kOpbench };

struct AnsorStep {
  std::string kind;  ///< AN, FU, PR, …
  std::vector<Argument> items;
  bool operator==(const AnsorStep&) const = default;
};

/// A schedule of Ansor (docs/reference/formats.md, "Ansor logs").
struct AnsorConfig {
  std::string workload_key;  ///< as written: a JSON array in a string
  std::vector<int64_t> hardware_params;
  std::optional<std::string> target_host;
  std::optional<int64_t> layout_rewrite;
  std::optional<std::vector<std::string>> task_inputs;
  int task_items = 0;  ///< length of the task's array in the file
  std::vector<AnsorStep> steps;
  bool operator==(const AnsorConfig&) const = default;
};

/// A schedule of MetaSchedule (docs/reference/formats.md, "MetaSchedule databases"). JSON parts are
/// kept as compact text.
struct TraceConfig {
  int64_t workload_index = 0;
  std::string workload_hash;    ///< decimal, of the module's structure
  std::string workload_module;  ///< base64, opaque
  std::string trace_json;
  std::string target_json;
  std::optional<std::vector<Argument>> args_info;  ///< tensors
  bool has_times = true;                           ///< false: run_secs was null
  bool operator==(const TraceConfig&) const = default;
};

/// What was measured. A failure has no costs; its number and message say why.
struct TuningResult {
  std::vector<double> costs_s;  ///< seconds a call, one a repeat
  int error_no = 0;             ///< 0 to 8, docs/reference/formats.md, "Results and error numbers"
  std::string error_message;
  std::optional<double> all_cost_s;  ///< wall time of building and measuring
  std::optional<double> timestamp;   ///< seconds since 1970
  bool all_cost_is_int = false;      ///< how the source wrote the number
  bool timestamp_is_int = false;
  std::optional<double> failure_sentinel;  ///< what the source wrote as the cost of a failure
  bool operator==(const TuningResult&) const = default;
};

/// `autotvm-0.1`, `autotvm-0.2`, `ansor`, `metaschedule`, `opbench`
std::string_view name_of(TuningFormat format);

/// Where a record came from.
struct TuningOrigin {
  TuningFormat format = TuningFormat::kAutotvm02;
  std::string format_version;  ///< as the source spells it
  std::string file;
  int64_t line = 0;                       ///< 1 is the first
  std::string sha256;                     ///< of the file, hex; empty if not known
  std::vector<std::string> key_order;     ///< of the top level, if not the writer's own
  std::vector<std::string> config_order;  ///< of the config object, likewise
  bool operator==(const TuningOrigin&) const = default;
};

/// One trial of a tuner, of whatever tool (docs/reference/formats.md, "Tuning records in
/// protobuf").
struct TuningRecord {
  std::string target;  ///< as written; see parse_target for its identity
  std::string task;    ///< conv2d_NCHWc.x86, ansor:<name or hash>, metaschedule:<hash>
  std::vector<NamedArgument> arguments;
  std::vector<NamedArgument> kwargs;
  std::optional<std::string> template_key;  ///< of AutoTVM 0.1: direct, winograd or empty
  std::optional<Argument> legacy_workload;  ///< of AutoTVM 0.1
  std::variant<KnobConfig, AnsorConfig, TraceConfig> config;
  TuningResult result;
  std::optional<std::string> tvm_version;
  std::string extras_json;  ///< unknown keys of the top level as one JSON object; empty: none
  TuningOrigin origin;
  bool operator==(const TuningRecord&) const = default;
};

/// The mean as numpy makes it, so that ties fall as in TVM: left to right below eight values, eight
/// running sums from there (docs/reference/formats.md, "Best records"). Infinity for none.
double mean_cost(const std::vector<double>& costs_s);

/// The identity of a workload: canonical JSON of [task, arguments], in which true is 1 and 2.0 is 2
/// (docs/reference/formats.md, "Best records").
std::string workload_key(const TuningRecord& record);

/// The arguments' part of it.
std::string arguments_key(const TuningRecord& record);

/// The same of arguments as a log has them: a JSON array. `kInvalidInput` if it is none.
Result<std::string> arguments_key(std::string_view json);

}  // namespace opbench
