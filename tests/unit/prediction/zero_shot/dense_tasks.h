#pragma once

#include <cmath>
#include <vector>

#include "base/numbers/random.h"
#include "kernels/tasks/task_arguments.h"
#include "kernels/tasks/template.h"
#include "prediction/zero_shot/schedule_ranker.h"

namespace opbench {

/// `[m,k] x [n,k]` in AutoTVM's template.
inline Task dense_task(int64_t m, int64_t k, int64_t n) {
  const auto matrix = [](int64_t rows, int64_t columns) {
    return tensor_argument({DataType::kFloat32, {rows, columns}});
  };
  return {"dense_nopack.x86",
          {matrix(m, k), matrix(n, k), Argument::null(), Argument::of_string("float32")},
          host_target()};
}

/// A time with a valley: tiles of 4 rows, 16 columns and at least 8 steps are best for every shape.
inline double synthetic_time(const Task& task, const ConfigSpace& space, uint64_t index) {
  const KnobConfig config = config_at(space, index).value();
  double penalty = 1;
  for (const KnobValue& knob : config.knobs) {
    const double size = std::log2(static_cast<double>(knob.value.items.back().integer));
    if (knob.name == "tile_y") penalty += 0.5 * std::abs(size - 2);
    if (knob.name == "tile_x") penalty += 0.7 * std::abs(size - 4);
    if (knob.name == "tile_k") penalty += size < 3 ? 0.2 : 0;
  }
  double work = 1e-9;
  for (const Argument& argument : task.arguments) {
    if (argument.kind == ArgumentKind::kTensor)
      work *= static_cast<double>(argument.items.front().integer);
  }
  return work * penalty;
}

/// Some random configs with these times; one in `disturbed_of` takes ten times as long (0: none).
inline std::vector<RankedTrial> synthetic_trials(const Task& task, const ConfigSpace& space,
                                                 uint64_t seed, size_t count,
                                                 uint64_t disturbed_of = 0) {
  Random random(seed);
  const uint64_t size = size_of(space).value();
  std::vector<RankedTrial> trials;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t config = random.below(size);
    const bool is_disturbed = disturbed_of > 0 && random.below(disturbed_of) == 0;
    trials.push_back({config, synthetic_time(task, space, config) * (is_disturbed ? 10 : 1)});
  }
  return trials;
}

}  // namespace opbench
