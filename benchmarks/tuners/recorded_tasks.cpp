#include "benchmarks/tuners/recorded_tasks.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>

#include "tuning/trials/trial.h"
#include "tuning/trials/trial_log.h"

namespace opbench {
namespace {

using RecordedTasksClock = std::chrono::steady_clock;

void note_cost(RecordedTask& recorded, uint64_t index, double cost_s) {
  if (!recorded.cost_s.emplace(index, cost_s).second || cost_s == 0) return;
  if (recorded.best_s == 0 || cost_s < recorded.best_s) recorded.best_s = cost_s;
}

/// Configs that the log lacks because they cannot be built.
uint64_t refused_configs(const RecordedTask& recorded) {
  uint64_t refused = 0;
  for (uint64_t index = 0; index < recorded.task.size; ++index) {
    if (recorded.cost_s.contains(index)) continue;
    const Result<KnobConfig> config = config_at(recorded.task.space, index);
    if (config && !candidate_of(recorded.task, *config)) ++refused;
  }
  return refused;
}

}  // namespace

Result<std::vector<RecordedTask>> recorded_tasks(const std::vector<Task>& tasks,
                                                 const std::filesystem::path& log) {
  std::vector<RecordedTask> recorded;
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < tasks.size(); ++i) {
    Result<TunableTask> tunable = tunable_task(tasks[i], i);
    if (!tunable) continue;
    places[workload_key(record_of(tasks[i]))] = recorded.size();
    recorded.push_back({.task = std::move(*tunable)});
  }
  OPBENCH_TRY(TrialLog trials, TrialLog::open(log));
  OPBENCH_CHECK(trials.read([&](const TuningRecord& record) -> Result<void> {
    const auto found = places.find(workload_key(record));
    const auto* config = std::get_if<KnobConfig>(&record.config);
    if (found == places.end() || config == nullptr) return {};
    RecordedTask& task = recorded[found->second];
    OPBENCH_TRY(const uint64_t index, index_of(task.task.space, *config));
    const bool has_failed = record.result.error_no != 0;
    note_cost(task, index, has_failed ? 0 : mean_cost(record.result.costs_s));
    return {};
  }));
  for (RecordedTask& task : recorded) task.refused = refused_configs(task);
  return recorded;
}

EarlierSearch earlier_search(const RecordedTask& recorded, size_t trials) {
  EarlierSearch search{.task = &recorded};
  const auto configs = (*tuner_table().find("random"))
                           ->make({recorded.task.space, recorded.task.size, 0})
                           ->next(std::min(trials, recorded.task.size));
  for (const uint64_t index : configs) {
    const auto found = recorded.cost_s.find(index);
    const double cost_s = found == recorded.cost_s.end() ? 0 : found->second;
    search.configs.push_back({index, cost_s > 0 ? recorded.task.flops / cost_s : 0});
  }
  return search;
}

ReplayedSearch replay_search(const RecordedTask& recorded, const TunerDef& tuner, uint64_t seed,
                             std::span<const EarlierSearch> earlier) {
  constexpr double kNear = 1.05;
  constexpr size_t kUnderWay = 6;
  const TunableTask& task = recorded.task;
  ReplayedSearch search;
  const auto timed = [&](auto&& act) {
    const RecordedTasksClock::time_point begin = RecordedTasksClock::now();
    act();
    search.tuner_s += std::chrono::duration<double>(RecordedTasksClock::now() - begin).count();
  };
  const auto searching = tuner.make({task.space, task.size, seed, &task.task, estimate_of(task)});
  for (const auto& [other, configs] : earlier) {
    const TunableTask& theirs = other->task;
    timed([&] { searching->learn_from({theirs.space, theirs.size, 0, &theirs.task}, configs); });
  }
  std::deque<uint64_t> under_way;
  for (;;) {
    std::vector<uint64_t> given;
    timed([&] { given = searching->next(kUnderWay - under_way.size()); });
    under_way.insert(under_way.end(), given.begin(), given.end());
    if (under_way.empty()) return search;
    const uint64_t index = under_way.front();
    under_way.pop_front();
    const auto found = recorded.cost_s.find(index);
    const bool is_trial = found != recorded.cost_s.end();
    const double cost_s = is_trial ? found->second : 0;
    search.trials += is_trial ? 1 : 0;
    if (cost_s > 0 && cost_s <= kNear * recorded.best_s) return search;
    timed([&] { searching->tell(index, cost_s > 0 ? task.flops / cost_s : 0); });
  }
}

}  // namespace opbench
