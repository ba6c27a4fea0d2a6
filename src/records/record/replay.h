#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/failure.h"
#include "machine/facts/environment.h"
#include "measuring/results/profile_result.h"
#include "model/operators/workloads/unit_identity.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// What has to be run again for one record.
struct ReplayItem {
  BenchmarkRecord record;
  std::string group;  ///< equal for records of one run, engine and thread count
  /// Of a unit: its schedule and, of one of ours, the texts of its workload and layouts; as far as
  /// the record has them.
  UnitIdentity identity;
  std::string source;  ///< of the model: zoo, or the path as it was given
  std::string model_sha256;
  int64_t threads = 1;
  std::vector<int> cpus;
  int64_t batch_size = 1;
  uint64_t seed = 0;
  std::string request;  ///< what was asked for, as JSON; empty in records of other programs
};

/// The records of a file (one a line) as things to run, in their order. `kInvalidInput`, naming the
/// line, when a record cannot be read or has an error of validate_record.
Result<std::vector<ReplayItem>> plan_replay(std::string_view lines);

/// How far a new time may lie from the old one.
struct ReplayMargin {
  double wanted = 0.02;
  double in_place = 0.10;          ///< for times taken in place only, which have no interval
  std::optional<double> aa_floor;  ///< what two equal runs differ by here, relative
  /// The larger of `wanted` and twice the floor.
  double value() const;
};

enum class ReplayOutcome { kReproduced, kNotReproduced, kNotComparable, kFailed };

/// `reproduced`, `not reproduced`, `not comparable`, `failed`
std::string_view name_of(ReplayOutcome outcome);

struct EnvironmentDifference {
  std::string field;   ///< machine.cpu_model
  std::string before;  ///< JSON
  std::string now;
  bool operator==(const EnvironmentDifference&) const = default;
};

struct ReplayVerdict {
  ReplayOutcome outcome = ReplayOutcome::kReproduced;
  std::string reason;  ///< one line with the figures
  double margin = 0;
  std::optional<double> change_percent;  ///< of the median
  std::vector<EnvironmentDifference> differences;
};

/// True if the record is of the machine of that environment. False when either is not known.
bool is_same_machine(const BenchmarkRecord& record, const Environment& environment_now);

/// Not comparable for the given reason, with what differs between the machines and the software.
ReplayVerdict not_comparable(const BenchmarkRecord& record, const Environment& environment_now,
                             std::string reason);

/// Reproduced when the new 95 % interval meets the recorded one widened by the margin on both
/// sides; a recorded failure is reproduced when it fails again; a failure of what ran then is
/// `kFailed`. Not comparable when the machine hashes differ (or one of them is not known): times
/// are then not looked at. Of the differences, those that change all the time (clock now,
/// temperature, stolen time) are left out.
ReplayVerdict judge_replay(const BenchmarkRecord& record, const Outcome<Measurement>& now,
                           const Environment& environment_now, const ReplayMargin& margin = {});

}  // namespace opbench
