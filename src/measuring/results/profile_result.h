#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "machine/facts/environment.h"
#include "measuring/results/check_result.h"
#include "measuring/results/finding.h"
#include "measuring/results/measurement.h"
#include "measuring/results/unit_error.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// One place of a row's unit in the model.
struct UnitOccurrence {
  std::vector<std::string> nodes;
  std::optional<double> in_place_ms;
  std::optional<double> in_place_error_ms = {};  ///< standard error of that mean
  std::optional<int64_t> step = {};              ///< its place in execution order, from 0
  bool operator==(const UnitOccurrence&) const = default;
};

/// One row: a unit, merged over its occurrences.
struct UnitResult {
  UnitIdentity identity;                    ///< with the nodes of all occurrences
  std::vector<UnitOccurrence> occurrences;  ///< in execution order; empty when not known
  std::optional<double> compile_ms;         ///< time to compile its kernel, when that was done
  std::optional<int64_t> code_bytes;        ///< of the kernel's object file
  std::string no_compile_reason;            ///< why the time to compile is not known; may be empty
  std::string code_hash;                    ///< of all that runs in a timed call; empty: not known
  int64_t count = 1;
  std::optional<int64_t> weight_sets;  ///< different weights among so many; nothing: none known
  std::optional<Measurement> time;     ///< alone, per call, in the run's cache mode
  std::optional<double> in_place_ms;   ///< per call, inside the running model: caches are hot
  double total_ms = 0;                 ///< in place over all occurrences; alone × count without it
  double share = 0;                    ///< of the sum of totals, 0…1
  std::optional<double> flops, bytes;  ///< per call
  std::string no_flops_reason;         ///< why they are not known; may be empty
  std::optional<double> gflops_per_s, percent_of_peak, gbytes_per_s;
  std::string bound;            ///< compute, memory, L1…L3, or overhead; empty if unknown
  std::string no_bound_reason;  ///< why it is unknown; may be empty
  std::optional<bool> is_cold;  ///< with a cold cache mode: whether the time alone can be a cold
                                ///< one, or is too short for that
  std::string no_cold_reason;   ///< why that is not known
  std::string reproducer;       ///< the command that repeats the row
  std::optional<Failure> failure;
  std::string remark;  ///< which engine is wrong here, and by how much, as exact arithmetic says;
                       ///< may be empty
};

/// A node of the model, and the nodes whose results it reads.
struct ModelNode {
  std::string name;
  std::string type;  ///< ONNX operator type, "Conv"
  std::vector<std::string> needs;
  bool operator==(const ModelNode&) const = default;
};

/// What memory was planned before the engine ran, in bytes.
struct PlannedMemory {
  int64_t value_bytes = 0;   ///< inputs, outputs and what lies between
  int64_t live_bytes = 0;    ///< of these, the most that must be kept at once: no plan needs less
  int64_t weight_bytes = 0;  ///< as kernels read them
};

struct ModelResult {
  std::optional<Measurement> end_to_end;  ///< without the profiler, the caches hot
  std::optional<Measurement> alone;       ///< a single workload as a whole, in the run's cache mode
  std::string end_to_end_reason;          ///< why there is none
  std::optional<Failure> failure;         ///< the engine failed to run the model
  /// sum + dispatch + call overhead stand against end to end.
  std::optional<double> sum_in_place_ms, dispatch_ms, call_overhead_ms, gap_percent;
  std::string inconclusive;  ///< why the gap says nothing; empty: it does
  std::optional<double> profiler_slowdown_percent;
  std::optional<PlannedMemory> memory;
  std::optional<double> peak_memory_mb;  ///< of the engine process, of 10^6 bytes
};

/// Why an engine on a device has no ceilings.
inline constexpr const char* kNoDeviceCeilings = "ceilings are measured on the CPU, not on devices";

/// One engine at one thread count.
struct EngineResult {
  std::string engine;
  std::string version;
  std::map<std::string, std::string> versions;     ///< of the libraries inside
  std::map<std::string, std::string> device = {};  ///< that runs its kernels, beside the CPU:
                                                   ///< description, platform, driver, clock, …
  std::string code_hash;  ///< of all that runs in a call of the model; empty: not known
  int threads = 1;
  std::vector<int> cpus;
  double call_floor_ms = 0;
  std::optional<double> peak_gflops;  ///< measured beside this run
  std::optional<double> memory_gbytes_per_s;
  /// What a process of the engine held at the end more than when it was first measured; nothing:
  /// not known.
  std::optional<int64_t> threads_left;
  std::optional<double> memory_kept_mb;  ///< of 10^6 bytes
  std::vector<UnitResult> units;         ///< by total, largest first
  std::vector<UnitError> errors;         ///< in execution order; empty: not asked for
  std::string no_errors_reason;          ///< why there are none; empty: not asked for, or there are
  ModelResult model;
  CheckResult check;
};

/// All that one `profile` or `op` found out: what the JSON report and the records are made from.
struct ProfileResult {
  std::string run_id;
  std::string timestamp;  ///< RFC 3339, UTC
  std::string model;
  std::string workload;  ///< canonical text, when a workload was measured and not a model
  std::string source;    ///< zoo, or the path as given
  std::string sha256;
  std::string scope = "model";  ///< model or unit
  std::string target;           ///< display form
  int64_t batch_size = 1;
  uint64_t seed = 0;
  std::string cache = "hot";
  std::vector<std::string> argv;
  std::string request_json;  ///< what was asked for (replay_request.h); empty: not known
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string>
      machine_settings;  ///< set for the run, as the kernel took them
  std::map<std::string, double> metrics;
  std::vector<std::pair<std::string, std::vector<int64_t>>> inputs;  ///< name, shape
  Environment environment;                                           ///< empty: not captured
  std::string unchecked;            ///< why nothing can check the results; empty: something does,
                                    ///< or no check was asked for
  std::string noise;                ///< one line: class of the noise seen before measuring, advice
  std::vector<double> percentiles;  ///< asked for, in percent
  double preparation_ms = 0;        ///< until everything was built, checked and loaded
  double measuring_ms = 0;          ///< from then on; what the budget is for
  std::vector<EngineResult> engines;
  std::vector<ModelNode> graph;  ///< in the model's order; empty: not known
  std::vector<std::string> warnings;
  std::optional<std::vector<Finding>> findings = {};  ///< the largest first; nothing: not asked for
};

}  // namespace opbench
