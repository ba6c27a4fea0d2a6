#include "tuning/trials/task_search.h"

#include "base/system/monotonic_clock.h"
#include "measuring/results/statistics.h"
#include "records/record/error_number.h"

namespace opbench {

TaskSearch::TaskSearch(TunableTask task, const TunerDef& tuner, uint64_t seed)
    : task_(std::move(task)),
      tuner_(tuner.make({task_.space, task_.size, seed, &task_.task, estimate_of(task_)})) {}

Result<void> TaskSearch::resume(const TuningRecord& record) {
  const auto* config = std::get_if<KnobConfig>(&record.config);
  if (config == nullptr) return Error{ErrorCode::kInvalidInput, "a trial without knobs"};
  OPBENCH_TRY(const uint64_t index, index_of(task_.space, with_new_knobs(task_, *config)));
  const bool has_failed = record.result.error_no != 0;
  tell(index, has_failed ? 0 : task_.flops / mean_cost(record.result.costs_s));
  known_.insert(index);
  OPBENCH_TRY(const KnobConfig whole, config_at(task_.space, index));
  count(whole, record.result.error_no, record.result.costs_s);
  ++state_.resumed;
  return {};
}

void TaskSearch::learn_from(const TaskSearch& other) {
  const TunableTask& theirs = other.task_;
  tuner_->learn_from({.space = theirs.space, .size = theirs.size, .task = &theirs.task},
                     other.told_);
}

void TaskSearch::tell(uint64_t index, double score) {
  tuner_->tell(index, score);
  told_.push_back({index, score});
}

void TaskSearch::count(const KnobConfig& config, int error_no, const std::vector<double>& costs_s) {
  ++state_.trials;
  if (error_no != 0) {
    ++state_.failures[error_no];
    return;
  }
  const double cost_s = mean_cost(costs_s);
  if (!state_.best || cost_s < state_.best->logged_s) {
    state_.best = BestConfig{.config = config, .logged_s = cost_s};
  }
}

Result<void> TaskSearch::search(TrialMachine& machine, TrialLog& log,
                                const SearchOptions& options) {
  const double begin = monotonic_s() - state_.seconds;
  SearchOptions timed = options;
  timed.progress = [&](const SearchState&) {
    state_.seconds = monotonic_s() - begin;
    if (options.progress) options.progress(state_);
  };
  machine.begin(task_);
  const Result<void> searched = make_trials(machine, log, timed);
  const Result<void> synced = log.sync(true);
  state_.seconds = monotonic_s() - begin;
  return searched ? synced : searched;
}

Result<void> TaskSearch::make_trials(TrialMachine& machine, TrialLog& log,
                                     const SearchOptions& options) {
  for (;;) {
    OPBENCH_CHECK(fill(machine, options));
    if (under_way_ == 0) return {};
    OPBENCH_TRY(MeasuredConfig measured, machine.finish(state_.best ? state_.best->logged_s : 0));
    --under_way_;
    OPBENCH_CHECK(note(std::move(measured), log));
    options.progress(state_);
  }
}

/// An opening config that the log does not hold, then what the tuner names.
std::optional<uint64_t> TaskSearch::next_config() {
  while (opened_ < task_.opening.size()) {
    const uint64_t index = task_.opening[opened_++];
    if (known_.insert(index).second) return index;
  }
  for (;;) {
    const std::vector<uint64_t> configs = tuner_->next(1);
    if (configs.empty()) return std::nullopt;
    if (!known_.contains(configs.front())) return configs.front();
  }
}

/// Keeps the machine busy as long as more is wanted. Configs that cannot be built are told so here
/// and cost nothing.
Result<void> TaskSearch::fill(TrialMachine& machine, const SearchOptions& options) {
  while (under_way_ < machine.width()) {
    const int64_t wanted = options.trials - state_.trials - static_cast<int64_t>(under_way_);
    if (wanted <= 0 || (options.deadline_s && monotonic_s() >= *options.deadline_s)) return {};
    const std::optional<uint64_t> index = next_config();
    if (!index) {
      state_.is_exhausted = under_way_ == 0;
      return {};
    }
    OPBENCH_TRY(const KnobConfig config, config_at(task_.space, *index));
    auto spec = candidate_of(task_, config);
    if (!spec) {
      ++state_.refused;
      tell(*index, 0);
      continue;
    }
    machine.start(*index, std::move(*spec));
    ++under_way_;
  }
  return {};
}

Result<void> TaskSearch::note(MeasuredConfig measured, TrialLog& log) {
  OPBENCH_TRY(KnobConfig config, config_at(task_.space, measured.index));
  const Trial trial{std::move(config), std::move(measured.costs_s), std::move(measured.failure),
                    measured.spent_s, unix_time_s()};
  OPBENCH_CHECK(log.append(record_of(task_, trial)));
  OPBENCH_CHECK(log.sync());
  tell(measured.index, score_of(task_, trial));
  count(trial.config, trial.failure ? error_number(trial.failure->kind) : 0, trial.costs_s);
  return {};
}

Result<void> TaskSearch::measure_winner(TrialMachine& machine) {
  if (!state_.best) return {};
  const double begin = monotonic_s() - state_.seconds;
  OPBENCH_TRY(KernelSpec spec, candidate_of(task_, state_.best->config));
  machine.begin(task_);
  OPBENCH_TRY(const MeasuredConfig measured,
              machine.measure_afresh(state_.best->config.index, spec));
  if (!measured.failure) {
    state_.best->fresh_s = median(measured.costs_s);
    OPBENCH_TRY(state_.best->default_s, default_time(machine, spec));
  }
  state_.seconds = monotonic_s() - begin;
  return {};
}

/// Nothing when there is no default config, or when it fails.
Result<std::optional<double>> TaskSearch::default_time(TrialMachine& machine,
                                                       const KernelSpec& winner) const {
  const std::optional<KernelSpec> by_default = default_kernel(task_, winner);
  if (!by_default) return std::optional<double>();
  if (text_of(*by_default) == text_of(winner)) return state_.best->fresh_s;
  // Ours has a number; where templates of TVM are searched it is no config of the space.
  const uint64_t index = task_.opening.empty() ? task_.size : task_.opening.front();
  OPBENCH_TRY(const MeasuredConfig measured, machine.measure_afresh(index, *by_default));
  if (measured.failure) return std::optional<double>();
  return std::optional(median(measured.costs_s));
}

}  // namespace opbench
