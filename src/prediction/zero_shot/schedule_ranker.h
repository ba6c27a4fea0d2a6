#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"
#include "prediction/trees/boosted_trees.h"

/// Which configs of a task will be fast, without a trial: what Lorien (Yu et al., SoCC 2021) calls
/// zero-shot.
namespace opbench {

/// A trial of a task: a config of its space.
struct RankedTrial {
  uint64_t config = 0;
  double time_s = 0;  ///< 0: it failed
};

/// Boosted trees that learn, from trials of other tasks of one template on one target, how far each
/// config is from the best of its task.
class ScheduleRanker {
 public:
  /// Trials of one task; several for a config count as the fastest. Does nothing without one that
  /// worked. `task` and `space` need not outlive the call.
  void add(const Task& task, const ConfigSpace& space, std::span<const RankedTrial> trials);

  size_t tasks() const { return layouts_.size(); }
  size_t trials() const { return rows_.size(); }

  /// Learns what was added. Other programs can only delay a trial: one that is much slower than the
  /// trees say it should be is left out, and the trees are grown again. `kNoMatch` for fewer than
  /// two tasks or 100 trials, else as BoostedTrees.
  Result<void> fit();

  /// For each config about the best time of the task divided by its own: 1 is as good as the best,
  /// higher is faster. After `fit`. Errors as BoostedTrees.
  Result<std::vector<float>> scores(const Task& task, const ConfigSpace& space,
                                    std::span<const uint64_t> configs) const;

 private:
  struct Row {
    size_t layout = 0;
    std::vector<float> values;
  };

  /// The columns with these names; new names get new ones.
  std::vector<size_t> columns_of(const std::vector<std::string>& names);
  /// Adds the values at their columns; those beyond the table are left out.
  void add_row(const std::vector<size_t>& columns, std::span<const float> values,
               FeatureTable& table) const;

  std::map<std::string, size_t> columns_;
  std::vector<std::vector<size_t>> layouts_;  ///< columns of the rows' values, one a task
  std::vector<Row> rows_;
  std::vector<float> labels_;
  std::optional<BoostedTrees> trees_;
};

/// The configs of a space that a ranking looks at: all, or of a large one `most` random ones.
std::vector<uint64_t> ranked_configs(uint64_t size, uint64_t most, uint64_t seed);

/// The configs by falling score, equal ones in their order.
std::vector<uint64_t> by_score(std::span<const uint64_t> configs, std::span<const float> scores);

}  // namespace opbench
