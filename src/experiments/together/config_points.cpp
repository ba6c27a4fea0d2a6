#include "experiments/together/config_points.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/numbers/random.h"
#include "tuning/trials/own_task.h"
#include "tuning/trials/trial.h"

namespace opbench {
namespace {

/// The unit's task for a schedule. Without knobs it has a space of one point.
Result<TunableTask> task_of(const KernelSpec& unit, const ScheduleDef& schedule, int threads) {
  std::vector<Argument> blocks;
  for (const int block : blocks_of(unit)) blocks.push_back(Argument::of_int(block));
  const Task task{.name = schedule.name + ".opbench",
                  .arguments = {Argument::of_string(text_of(unit.workload)),
                                Argument::of_tuple(std::move(blocks))},
                  .target = unit.target};
  if (schedule.knobs != nullptr) return tunable_task(task, 0, threads);
  return TunableTask{.task = task,
                     .size = 1,
                     .workload = unit.workload,
                     .schedule = schedule.name,
                     .layouts = unit.layouts,
                     .opening = {0},
                     .flops = flops_of(unit.workload),
                     .threads = threads};
}

/// Drawn from the space, what the schedule expects most of first.
std::vector<uint64_t> drawn_points(const TunableTask& task, size_t most, uint64_t seed) {
  constexpr int kDraws = 256;
  Random random(seed, "configs " + task.schedule);
  std::set<uint64_t> drawn;
  for (int i = 0; i < kDraws; ++i) drawn.insert(random.below(task.size));
  std::vector<uint64_t> points(drawn.begin(), drawn.end());
  if (const auto estimate = estimate_of(task)) {
    std::map<uint64_t, double> cycles;
    for (const uint64_t point : points) cycles[point] = estimate(point);
    std::erase_if(points, [&](uint64_t point) { return cycles[point] <= 0; });
    std::ranges::stable_sort(points, {}, [&](uint64_t point) { return cycles[point]; });
  }
  if (points.size() > most) points.resize(most);
  return points;
}

/// One task's configs, best guess first.
class TaskPoints {
 public:
  TaskPoints(TunableTask task) : task_(std::make_shared<const TunableTask>(std::move(task))) {}

  void add(uint64_t index, const std::string& origin) {
    if (!seen_.insert(index).second) return;
    KernelSpec spec;
    if (task_->space.knobs.empty()) {
      spec = {.workload = task_->workload,
              .layouts = task_->layouts,
              .target = task_->task.target,
              .schedule = task_->schedule};
      const auto schedule = schedule_table().find(task_->schedule);
      spec.config = (*schedule)->default_config(spec).value_or(Config{});
    } else {
      const auto config = config_at(task_->space, index);
      auto found = config ? candidate_of(*task_, *config) : Result<KernelSpec>(config.error());
      if (!found) return;
      spec = std::move(*found);
    }
    points_.push_back({task_, index, std::move(spec), origin});
  }

  const TunableTask& task() const { return *task_; }
  const std::vector<ConfigPoint>& points() const { return points_; }

 private:
  std::shared_ptr<const TunableTask> task_;
  std::set<uint64_t> seen_;
  std::vector<ConfigPoint> points_;
};

Result<TaskPoints> points_of(const KernelSpec& unit, const ScheduleDef& schedule, size_t most,
                             uint64_t seed, const KnownConfig& known) {
  OPBENCH_TRY(TunableTask one, task_of(unit, schedule, 1));
  OPBENCH_TRY(const TunableTask two, task_of(unit, schedule, 2));
  TaskPoints points(std::move(one));
  const TunableTask& task = points.task();
  if (!task.opening.empty()) points.add(task.opening.front(), "rule");
  if (!two.opening.empty()) points.add(two.opening.front(), "rule, 2 threads");
  if (const auto config = known ? known(record_of(task.task)) : std::nullopt) {
    const auto point = index_of(task.space, with_new_knobs(task, *config));
    if (point) points.add(*point, "store");
  }
  for (const uint64_t point : task.opening) points.add(point, "seed config");
  for (const uint64_t point : drawn_points(task, most, seed)) points.add(point, "space");
  return points;
}

/// The defaults first, then one of each task in turn.
std::vector<ConfigPoint> in_turns(const std::vector<TaskPoints>& tasks, const KernelSpec& unit,
                                  size_t most) {
  std::vector<ConfigPoint> chosen;
  std::set<std::string> texts;
  const auto take = [&](ConfigPoint point) {
    if (chosen.size() < most && texts.insert(text_of(point.spec)).second) {
      chosen.push_back(std::move(point));
    }
  };
  for (const int threads : {1, 2}) {
    KernelSpec by_default{.workload = unit.workload,
                          .layouts = unit.layouts,
                          .target = unit.target,
                          .threads = threads};
    if (!choose_schedule(by_default)) continue;
    for (const TaskPoints& task : tasks) {
      for (ConfigPoint point : task.points()) {
        if (text_of(point.spec) != text_of(by_default)) continue;
        point.origin = threads == 1 ? "default, 1 thread" : "default, 2 threads";
        take(std::move(point));
      }
    }
  }
  size_t longest = 0;
  for (const TaskPoints& task : tasks) longest = std::max(longest, task.points().size());
  for (size_t i = 0; i < longest; ++i) {
    for (const TaskPoints& task : tasks) {
      if (i < task.points().size()) take(task.points()[i]);
    }
  }
  return chosen;
}

}  // namespace

Result<std::vector<ConfigPoint>> config_points(const KernelSpec& unit, size_t most, uint64_t seed,
                                               const KnownConfig& known) {
  std::vector<TaskPoints> tasks;
  for (const ScheduleDef& schedule : schedule_table().all()) {
    const bool is_default = schedule.name == unit.schedule;
    if (!is_default && (schedule.knobs == nullptr || !schedule.default_config(unit))) continue;
    if (!gives_outputs(schedule, unit.workload)) continue;
    OPBENCH_TRY(TaskPoints points, points_of(unit, schedule, most, seed, known));
    tasks.insert(is_default ? tasks.begin() : tasks.end(), std::move(points));
  }
  std::vector<ConfigPoint> chosen = in_turns(tasks, unit, most);
  std::vector<const TunableTask*> order;
  for (const TaskPoints& task : tasks) order.push_back(&task.task());
  std::ranges::stable_sort(chosen, {}, [&](const ConfigPoint& point) {
    return std::ranges::find(order, point.task.get()) - order.begin();
  });
  return chosen;
}

}  // namespace opbench
