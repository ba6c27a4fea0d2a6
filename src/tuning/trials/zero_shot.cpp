#include "tuning/trials/zero_shot.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/target/tvm_target.h"
#include "tuning/trials/chosen_kernel.h"

namespace opbench {
namespace {

constexpr uint64_t kMostRanked = 20'000;
constexpr size_t kMostTrials = 20'000;  // of a template: more take longer and teach little

/// The trials of a template, by workload.
class TrialCollector {
 public:
  explicit TrialCollector(const Target& target) : target_(target) {}

  Result<void> begin() {
    OPBENCH_TRY(const TvmTarget here, parse_tvm_target(display_text(target_)));
    identity_ = here.identity;
    return {};
  }

  void take(const TuningRecord& record) {
    const auto* config = std::get_if<KnobConfig>(&record.config);
    if (config == nullptr || count_ == kMostTrials || !is_of_target(record)) return;
    Workload* workload = workload_of(record);
    if (workload == nullptr) return;
    const auto index = index_of(workload->task.space, with_new_knobs(workload->task, *config));
    if (!index) return;
    const bool has_failed = record.result.error_no != 0 || record.result.costs_s.empty();
    workload->trials.push_back({*index, has_failed ? 0 : mean_cost(record.result.costs_s)});
    ++count_;
  }

  Result<ScheduleRanker> learn() {
    ScheduleRanker ranker;
    for (const auto& [key, workload] : workloads_) {
      if (workload) ranker.add(workload->task.task, workload->task.space, workload->trials);
    }
    OPBENCH_CHECK(ranker.fit());
    return ranker;
  }

 private:
  struct Workload {
    TunableTask task;
    std::vector<RankedTrial> trials;
  };

  bool is_of_target(const TuningRecord& record) {
    if (record.target != last_target_) {
      const auto theirs = parse_tvm_target(record.target);
      is_same_ = theirs && theirs->identity == identity_;
      last_target_ = record.target;
    }
    return is_same_;
  }

  /// Null when it has no space here.
  Workload* workload_of(const TuningRecord& record) {
    const auto [place, is_new] = workloads_.try_emplace(workload_key(record));
    if (is_new) {
      if (auto task = tunable_task(recorded_task(record, target_), 0))
        place->second = Workload{std::move(*task), {}};
    }
    return place->second ? &*place->second : nullptr;
  }

  const Target& target_;
  Target identity_;
  std::string last_target_;
  bool is_same_ = false;
  std::map<std::string, std::optional<Workload>> workloads_;
  size_t count_ = 0;
};

/// Whether a model's unit can have the kernel.
bool is_usable(const TunableTask& task, uint64_t index) {
  const auto config = config_at(task.space, index);
  if (!config) return false;
  const auto spec = candidate_of(task, *config);
  return spec && has_usual_blocks(chosen_kernel(*spec, {}), task.task.target);
}

}  // namespace

ZeroShot::ZeroShot(KnownTrials known, Target target)
    : known_(std::move(known)), target_(std::move(target)) {}

Result<const ScheduleRanker*> ZeroShot::ranker_of(const std::string& template_name) {
  auto found = rankers_.find(template_name);
  if (found == rankers_.end()) {
    TrialCollector trials(target_);
    OPBENCH_CHECK(trials.begin());
    OPBENCH_CHECK(known_(template_name, [&](const TuningRecord& record) { trials.take(record); }));
    found = rankers_.emplace(template_name, trials.learn()).first;
  }
  if (!found->second) return found->second.error();
  return &*found->second;
}

Result<ZeroShotChoice> ZeroShot::choose(const TunableTask& task, size_t count) {
  OPBENCH_TRY(const ScheduleRanker* ranker, ranker_of(task.task.name));
  const std::vector<uint64_t> configs = ranked_configs(task.size, kMostRanked, 0);
  OPBENCH_TRY(const std::vector<float> scores, ranker->scores(task.task, task.space, configs));
  ZeroShotChoice choice{.trials = ranker->trials(), .tasks = ranker->tasks()};
  for (const uint64_t index : by_score(configs, scores)) {
    if (choice.configs.size() == count) break;
    if (is_usable(task, index)) choice.configs.push_back(index);
  }
  if (choice.configs.empty()) {
    return Error{ErrorCode::kNoMatch, "no config of the task fits a model's unit"};
  }
  if (!task.opening.empty()) {
    const uint64_t both[] = {choice.configs.front(), task.opening.front()};
    OPBENCH_TRY(const std::vector<float> pair, ranker->scores(task.task, task.space, both));
    if (pair[0] > 0) choice.of_default = pair[1] / pair[0];
  }
  return choice;
}

}  // namespace opbench
