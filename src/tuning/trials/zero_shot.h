#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/schedules/kernel_choice.h"
#include "prediction/zero_shot/schedule_ranker.h"
#include "tuning/trials/candidate.h"

namespace opbench {

/// Hands over every trial that is known of a template, in whatever order.
using KnownTrials = std::function<Result<void>(
    const std::string& template_name, const std::function<void(const TuningRecord&)>& take)>;

/// What a task gets without a trial.
struct ZeroShotChoice {
  std::vector<uint64_t> configs;  ///< the most promising first; all can be built
  size_t trials = 0;              ///< that were learnt from
  size_t tasks = 0;               ///< that these are of
  /// The predicted time of the first over that of the default config; nothing where the default is
  /// no config of the space, as with templates of TVM.
  std::optional<double> of_default;
};

/// Chooses configs of tasks from trials of other workloads of their templates on the same target.
/// A template is learnt once.
class ZeroShot {
 public:
  ZeroShot(KnownTrials known, Target target);

  /// The `count` most promising configs of a task that a model's unit can use: channels in plain
  /// order or in blocks of the target's lanes. `kNoMatch` when too little is known of the template,
  /// or no such config can be built; errors of the source and of BoostedTrees.
  Result<ZeroShotChoice> choose(const TunableTask& task, size_t count);

 private:
  Result<const ScheduleRanker*> ranker_of(const std::string& template_name);

  KnownTrials known_;
  Target target_;
  std::map<std::string, Result<ScheduleRanker>> rankers_;
};

}  // namespace opbench
