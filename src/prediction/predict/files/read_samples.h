#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "machine/ceilings/ceilings.h"
#include "prediction/predict/unit_sample.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// Which records a predictor may learn from.
struct SampleFilter {
  std::string engine;
  int threads = 1;
  std::string machine_hash;
  std::string schedule_version;  ///< of records that name theirs in the label kScheduleLabel
  Ceilings ceilings;             ///< for the features
};

/// Labels of records that samples are taken from; any may be missing.
constexpr const char* kScheduleLabel = "schedule_version";
constexpr const char* kFamilyLabel = "family";  ///< of the model: left out together
constexpr const char* kBatchLabel = "batch";    ///< number of a batch that training measured
/// `units`: the model is no model but units side by side.
constexpr const char* kBatchKindLabel = "batch_kind";
constexpr const char* kUnitsBatch = "units";

/// True if more than a third of its samples were dropped as preempted: other work had the CPUs.
/// Comparing two such visits would not show that, as both are slowed alike.
bool is_disturbed(const BenchmarkRecord& record);

/// Puts records of units and models together to samples. A record of another engine, machine or
/// number of threads, without a time, with another kernel than the default one or with cold caches
/// is left out, and counted; so is a time that is_disturbed.
class SampleCollector {
 public:
  explicit SampleCollector(SampleFilter filter);
  void add(const BenchmarkRecord& record);
  /// The samples so far; models without any unit are left out.
  SampleSet samples() const;
  /// One more than the highest label kBatchLabel.
  int64_t batches() const { return batches_; }
  int64_t units() const { return static_cast<int64_t>(set_.units.size()); }

 private:
  std::string reason_against(const BenchmarkRecord& record) const;
  std::string add_unit(const BenchmarkRecord& record);
  std::string add_model(const BenchmarkRecord& record);

  SampleFilter filter_;
  int64_t batches_ = 0;
  SampleSet set_;
  std::map<std::string, size_t> units_;   ///< by model and identity
  std::map<std::string, size_t> models_;  ///< by model
  std::set<std::string> disturbed_runs_;  ///< whose times in the model do not count
  std::set<std::string> side_by_side_;    ///< models that are none
  /// Of a unit in its model; `weight_sets` as in CountedUnit.
  struct Count {
    int64_t units = 1;
    std::optional<int64_t> weight_sets;
  };
  std::map<std::string, std::map<size_t, Count>> counts_;
};

/// Adds the records of a file of lines, one by one. `kInvalidInput` when it cannot be read; a last
/// line that was cut is left out, as the program that wrote it was killed.
Result<void> collect_file(const std::filesystem::path& path, SampleCollector& collector);

}  // namespace opbench
