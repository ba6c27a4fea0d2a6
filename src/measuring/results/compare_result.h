#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// What a comparison says of the new side's time.
enum class Verdict { kFaster, kSlower, kSame, kInconclusive };

/// `faster`, `slower`, `same`, `inconclusive`
std::string_view name_of(Verdict verdict);

/// New time over base time, with its 95 % interval.
struct Ratio {
  double median = 1, low = 1, high = 1;
};

/// One of the things compared: an engine at a thread count and batch size, of this build or
/// another.
struct ComparedVariant {
  std::string label;  ///< as short as tells it from the others: `onnxruntime`, `2 threads`
  std::string engine;
  std::string version;
  std::map<std::string, std::string> versions;  ///< of the libraries inside
  std::string build;                            ///< the other OpBench, as given; empty: this one
  std::string program_version = {};             ///< of that OpBench; empty: it does not say
  std::string commit = {};  ///< that it was built from, with `+changes`; empty: not known
  /// Kernels that are not the default config: by workload, which, and from which log.
  std::map<std::string, std::string> kernels = {};
  std::string request_json = {};  ///< what was asked for of this side, as in ProfileResult
  std::string executor = {};      ///< of our own engine, as asked for; empty: other engines
  bool is_fused = true;           ///< of our own engine: nodes form units
  int threads = 1;
  std::vector<int> cpus;
  int64_t batch_size = 1;
  double call_floor_ms = 0;
  std::map<std::string, std::string> device = {};  ///< as in EngineResult
  std::string emulator = {};                       ///< as in EngineResult
  CheckResult check;
};

/// One unit, or the whole model, on both sides of a comparison.
struct CompareUnit {
  /// What both sides compute: schedule and origin are empty. Operator `model`: the whole.
  UnitIdentity identity;
  int64_t count = 1;
  /// Times a call; `candidate` is the new side. Its median is the base's times the ratio, as both
  /// come from the same rounds (a call of each, where batch sizes differ).
  std::optional<Measurement> base, candidate;
  std::optional<Ratio> ratio;
  std::optional<double> floor_percent;  ///< A/A difference that this unit can show by chance
  double margin_percent = 2;            ///< what counts as a difference: max(wanted, 2 × floor)
  std::optional<Verdict> verdict;       ///< nothing: it got none, `reason` says why
  std::string reason;                   ///< one line: why this verdict, or why none
  std::string remark = {};              ///< which side is wrong here; as in UnitResult
  bool has_failed = false;              ///< a side could not run it, or gave a wrong result
  bool is_cancelled = false;            ///< the run was interrupted before it was measured
  std::optional<double> needs_s;        ///< inconclusive: estimated time until it would be decided
  int64_t rounds = 0;                   ///< paired rounds that count, over all process pairs
  int64_t dropped_rounds = 0;           ///< left out by cause (preempted, migrated, faulted)
};

/// The verdicts on one side against the base.
struct Comparison {
  size_t base = 0, candidate = 1;  ///< indices of the sides
  std::vector<CompareUnit> units;  ///< by the base's total time, largest first
  CompareUnit model;
  std::vector<std::string> differences;  ///< what differs between the sides, one line each
};

/// How much the machine disturbs what is measured on it.
struct CompareNoise {
  std::string noise_class;              ///< quiet, shared or hostile
  std::string advice;                   ///< one line
  std::optional<double> floor_percent;  ///< A/A difference of the units seen on this machine: the
                                        ///< 95th percentile; nothing: no A/A pairs were measured
};

/// All that one `compare` found out.
struct CompareResult {
  std::string run_id;
  std::string timestamp;  ///< RFC 3339, UTC
  std::string model;      ///< name, or a workload's canonical text
  std::string source;     ///< zoo, or the path as given
  std::string sha256;
  std::string target;
  std::string unit = "fused";     ///< what a row is: fused, or node
  std::string layouts = "apart";  ///< layout conversions: `counted` in a unit, or `apart`
  std::string cache = "hot";
  std::string correction = "Benjamini-Hochberg, q = 5 %";
  bool is_forced = false;                 ///< compared although it is not comparable (--force)
  std::vector<std::string> incomparable;  ///< fields that differ and should not; with --force
  uint64_t seed = 0;
  double margin_percent = 2;  ///< as wanted
  CompareNoise noise;
  std::vector<ComparedVariant> sides;   ///< the base first
  std::vector<Comparison> comparisons;  ///< with the base, one a new side
  std::vector<Comparison> among_new;    ///< of every two new sides, for the order of all
  std::vector<std::string> argv;
  Environment environment;  ///< empty: not captured
  std::vector<std::string> warnings;
};

}  // namespace opbench
