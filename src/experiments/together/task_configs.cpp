#include "experiments/together/task_configs.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/numbers/random.h"
#include "tuning/trials/own_task.h"
#include "tuning/trials/trial.h"

namespace opbench {
namespace {

/// The unit's task for a schedule. Without knobs it has a space of one config.
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
std::vector<uint64_t> drawn_configs(const TunableTask& task, size_t most, uint64_t seed) {
  constexpr int kDraws = 256;
  Random random(seed, "configs " + task.schedule);
  std::set<uint64_t> drawn;
  for (int i = 0; i < kDraws; ++i) drawn.insert(random.below(task.size));
  std::vector<uint64_t> configs(drawn.begin(), drawn.end());
  if (const auto estimate = estimate_of(task)) {
    std::map<uint64_t, double> cycles;
    for (const uint64_t config : configs) cycles[config] = estimate(config);
    std::erase_if(configs, [&](uint64_t config) { return cycles[config] <= 0; });
    std::ranges::stable_sort(configs, {}, [&](uint64_t config) { return cycles[config]; });
  }
  if (configs.size() > most) configs.resize(most);
  return configs;
}

/// One task's configs, best guess first.
class ScheduleConfigs {
 public:
  ScheduleConfigs(TunableTask task) : task_(std::make_shared<const TunableTask>(std::move(task))) {}

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
    configs_.push_back({task_, index, std::move(spec), origin});
  }

  const TunableTask& task() const { return *task_; }
  const std::vector<TaskConfig>& configs() const { return configs_; }

 private:
  std::shared_ptr<const TunableTask> task_;
  std::set<uint64_t> seen_;
  std::vector<TaskConfig> configs_;
};

Result<ScheduleConfigs> configs_of(const KernelSpec& unit, const ScheduleDef& schedule, size_t most,
                                   uint64_t seed, const KnownConfig& known) {
  OPBENCH_TRY(TunableTask one, task_of(unit, schedule, 1));
  OPBENCH_TRY(const TunableTask two, task_of(unit, schedule, 2));
  ScheduleConfigs configs(std::move(one));
  const TunableTask& task = configs.task();
  if (!task.opening.empty()) configs.add(task.opening.front(), "rule");
  if (!two.opening.empty()) configs.add(two.opening.front(), "rule, 2 threads");
  if (const auto config = known ? known(record_of(task.task)) : std::nullopt) {
    const auto index = index_of(task.space, with_new_knobs(task, *config));
    if (index) configs.add(*index, "store");
  }
  for (const uint64_t config : task.opening) configs.add(config, "seed config");
  for (const uint64_t config : drawn_configs(task, most, seed)) configs.add(config, "space");
  return configs;
}

/// The defaults first, then one of each task in turn.
std::vector<TaskConfig> in_turns(const std::vector<ScheduleConfigs>& tasks, const KernelSpec& unit,
                                 size_t most) {
  std::vector<TaskConfig> chosen;
  std::set<std::string> texts;
  const auto take = [&](TaskConfig config) {
    if (chosen.size() < most && texts.insert(text_of(config.spec)).second) {
      chosen.push_back(std::move(config));
    }
  };
  for (const int threads : {1, 2}) {
    KernelSpec by_default{.workload = unit.workload,
                          .layouts = unit.layouts,
                          .target = unit.target,
                          .threads = threads};
    if (!choose_schedule(by_default)) continue;
    for (const ScheduleConfigs& task : tasks) {
      for (TaskConfig config : task.configs()) {
        if (text_of(config.spec) != text_of(by_default)) continue;
        config.origin = threads == 1 ? "default, 1 thread" : "default, 2 threads";
        take(std::move(config));
      }
    }
  }
  size_t longest = 0;
  for (const ScheduleConfigs& task : tasks) longest = std::max(longest, task.configs().size());
  for (size_t i = 0; i < longest; ++i) {
    for (const ScheduleConfigs& task : tasks) {
      if (i < task.configs().size()) take(task.configs()[i]);
    }
  }
  return chosen;
}

}  // namespace

Result<std::vector<TaskConfig>> task_configs(const KernelSpec& unit, size_t most, uint64_t seed,
                                             const KnownConfig& known) {
  std::vector<ScheduleConfigs> tasks;
  for (const ScheduleDef& schedule : schedule_table().all()) {
    const bool is_default = schedule.name == unit.schedule;
    if (!is_default && (schedule.knobs == nullptr || !schedule.default_config(unit))) continue;
    if (!makes_kernels_for(schedule, unit.target)) continue;
    if (!gives_outputs(schedule, unit.workload)) continue;
    OPBENCH_TRY(ScheduleConfigs configs, configs_of(unit, schedule, most, seed, known));
    tasks.insert(is_default ? tasks.begin() : tasks.end(), std::move(configs));
  }
  std::vector<TaskConfig> chosen = in_turns(tasks, unit, most);
  std::vector<const TunableTask*> order;
  for (const ScheduleConfigs& task : tasks) order.push_back(&task.task());
  std::ranges::stable_sort(chosen, {}, [&](const TaskConfig& config) {
    return std::ranges::find(order, config.task.get()) - order.begin();
  });
  return chosen;
}

}  // namespace opbench
