#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/tasks/legacy_space.h"
#include "records/record/tuning_record.h"
#include "tuning/trials/candidate.h"

namespace opbench {

/// Which records of a log are wanted, and for what they are compiled.
struct ReplayWish {
  bool is_best_only = false;     ///< of every target, task and arguments the fastest record alone
  std::set<int64_t> lines;       ///< records by where they stand, from 1; empty: all
  std::optional<int64_t> limit;  ///< so many that can be repeated at most
  std::optional<Target> target;  ///< compile for it, not for what the record names
  double memory_bytes = 4ULL << 30;  ///< what the tensors of a workload may take
};

/// One record of a log with what becomes of it.
struct ReplayTrial {
  int64_t line = 0;                   ///< of the file, from 1
  TuningRecord record;                ///< as version 0.2 has it
  const TunableTask* task = nullptr;  ///< of the plan; none: it is not repeated
  KnobConfig config;                  ///< its knobs as today's schedules have them
  bool is_index_wrong = false;        ///< its index is another config: the entities count
  std::string skipped;                ///< why it cannot be repeated here
  std::optional<Error> fault;         ///< why it cannot be repeated anywhere
  std::optional<TuningResult> now;    ///< what was measured here
};

/// What is to be repeated. Trials name its tasks: it must outlive them.
class ReplayPlan {
 public:
  explicit ReplayPlan(ReplayWish wish) : wish_(std::move(wish)) {}

  /// The next record of the file. With `is_best_only` memory grows with the tasks alone.
  void add(const TuningRecord& record, int64_t line);

  /// The trials that are wanted, in the order of the file.
  std::vector<ReplayTrial> finish();

 private:
  struct KnownTask {
    std::unique_ptr<TunableTask> task;  ///< none: see `skipped`
    std::string skipped;
  };

  bool is_full() const { return wish_.limit && repeated_ >= *wish_.limit; }
  void resolve(ReplayTrial& trial);
  const KnownTask& task_of(const TuningRecord& record);
  Result<TunableTask> make_task(const TuningRecord& record) const;
  void take_config(ReplayTrial& trial) const;

  ReplayWish wish_;
  std::map<std::string, size_t> best_;  ///< place in trials_ by target and workload
  std::map<std::string, KnownTask> tasks_;
  std::vector<ReplayTrial> trials_;
  int64_t repeated_ = 0;
};

/// Equal for records of one config of one task on one target, whatever index and times they have.
std::string replay_key(const TuningRecord& record);

}  // namespace opbench
