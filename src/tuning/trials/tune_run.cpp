#include "tuning/trials/tune_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/system/monotonic_clock.h"
#include "machine/target/tvm_target.h"
#include "records/json/python_json.h"
#include "tuning/trials/own_task.h"
#include "tuning/trials/trial_share.h"

namespace opbench {
namespace {

class TuneRun {
 public:
  TuneRun(const TuneRequest& request, TrialMachine& machine, const TuneHooks& hooks)
      : request_(request), machine_(machine), hooks_(hooks) {}

  Result<TuneResult> run() {
    OPBENCH_CHECK(choose_tasks());
    OPBENCH_TRY(TrialLog log, TrialLog::open(request_.log, request_.log_format));
    OPBENCH_CHECK(read_log(log));
    begin_ = monotonic_s();
    const Result<void> searched = request_.tuner->shares_trials ? share(log) : one_by_one(log);
    result_.is_interrupted = !searched && searched.error().code == ErrorCode::kInterrupted;
    if (!result_.is_interrupted) OPBENCH_CHECK(searched);
    result_.seconds = monotonic_s() - begin_;
    result_.warnings = machine_.warnings();
    return std::move(result_);
  }

 private:
  Result<void> choose_tasks() {
    for (size_t i = 0; i < request_.tasks.size(); ++i) {
      const Task& task = request_.tasks[i].task;
      known_.insert(workload_key(record_of(task)));
      if (request_.only && i != *request_.only) continue;
      auto tunable = searchable_task(task, i);
      if (tunable) {
        add(std::move(*tunable), request_.tasks[i].uses);
        continue;
      }
      if (tunable.error().code == ErrorCode::kEnvironment) return tunable.error();
      result_.untuned.push_back({i, task, tunable.error().message});
    }
    if (!searches_.empty()) return {};
    Error error{ErrorCode::kNoMatch, "no task can be tuned here"};
    for (const UntunedTask& task : result_.untuned) {
      error.facts.push_back({fmt::format("task {}", task.number), task.reason});
    }
    return error;
  }

  Result<TunableTask> searchable_task(const Task& task, size_t number) const {
    OPBENCH_TRY(TunableTask tunable, tunable_task(task, number, request_.threads));
    if (request_.tuner->check != nullptr) OPBENCH_CHECK(request_.tuner->check(task));
    std::vector<uint64_t> known;
    if (const auto config = request_.known ? request_.known(record_of(task)) : std::nullopt) {
      // What older schedules called a config need be none of today's.
      const auto index = index_of(tunable.space, with_new_knobs(tunable, *config));
      if (index) known.push_back(*index);
    }
    if (request_.promising) {
      const std::vector<uint64_t> configs = request_.promising(tunable);
      known.insert(known.end(), configs.begin(), configs.end());
    }
    // Right after the default config, as there may be trials for few.
    std::vector<uint64_t>& opening = tunable.opening;
    opening.insert(opening.begin() + (opening.empty() ? 0 : 1), known.begin(), known.end());
    return tunable;
  }

  void add(TunableTask task, int64_t uses) {
    const auto most =
        static_cast<int64_t>(std::min<uint64_t>(task.size, static_cast<uint64_t>(request_.trials)));
    by_key_[workload_key(record_of(task.task))] = searches_.size();
    result_.tasks.push_back({.number = task.number,
                             .task = task.task,
                             .uses = uses,
                             .shapes = short_shapes(task.workload),
                             .size = task.size,
                             .flops = task.flops,
                             .wanted = most});
    searches_.push_back(
        std::make_unique<TaskSearch>(std::move(task), *request_.tuner, request_.seed));
  }

  Result<void> read_log(TrialLog& log) {
    OPBENCH_TRY(const TvmTarget target,
                parse_tvm_target(display_text(request_.tasks.front().task.target)));
    std::string last_target;
    bool is_same = true;
    OPBENCH_CHECK(log.read([&](const TuningRecord& record) -> Result<void> {
      if (!request_.continues) return not_empty();
      if (record.target != last_target) {
        const auto theirs = parse_tvm_target(record.target);
        is_same = theirs && theirs->identity == target.identity;
        last_target = record.target;
      }
      if (!is_same) return other_target(record);
      return take(record);
    }));
    for (size_t i = 0; i < searches_.size(); ++i) result_.tasks[i].state = searches_[i]->state();
    return {};
  }

  Error not_empty() const {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("log \"{}\" holds trials already", request_.log.string())}
        .with("give", "--continue to go on where it ends, or another name");
  }

  Error other_target(const TuningRecord& record) const {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("log \"{}\" is of another target", request_.log.string())}
        .with("its target", record.target)
        .with("this one", display_text(request_.tasks.front().task.target));
  }

  Result<void> take(const TuningRecord& record) {
    const std::string key = workload_key(record);
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) return searches_[found->second]->resume(record);
    if (known_.contains(key)) return {};  // a task that is not tuned now
    Error error = Error{ErrorCode::kInvalidInput,
                        fmt::format("log \"{}\" is of another model", request_.log.string())}
                      .with("its task", key);
    const bool is_own = is_own_task(record.task);
    if (is_own == is_own_task(request_.tasks.front().task.name)) return error;
    return std::move(error).with("or try", is_own ? "--templates own" : "--templates tvm");
  }

  Result<void> one_by_one(TrialLog& log) {
    for (size_t i = 0; i < searches_.size(); ++i) {
      teach(i);
      OPBENCH_CHECK(search(i, log, {.trials = result_.tasks[i].wanted, .deadline_s = fair_end(i)}));
      OPBENCH_CHECK(finish(i));
    }
    return {};
  }

  /// Lets a search know what was found out about all others.
  void teach(size_t place) {
    for (size_t other = 0; other < searches_.size(); ++other) {
      if (other != place) searches_[place]->learn_from(*searches_[other]);
    }
  }

  /// An equal share of what is left of the time, less what its winner needs.
  std::optional<double> fair_end(size_t place) const {
    if (!request_.budget_s) return std::nullopt;
    const double now = monotonic_s();
    const double left = *request_.budget_s - (now - begin_);
    const double share = std::max(0.0, left) / static_cast<double>(searches_.size() - place);
    return now + trials_share(share);
  }

  /// Slices of trials to where they save most, then the winners of all units afresh.
  Result<void> share(TrialLog& log) {
    std::vector<SearchStanding> standings = first_standings();
    std::deque<bool> is_taught(searches_.size());
    while (const auto place = next_search(standings)) {
      const std::optional<double> end_s = shared_end(standings);
      if (end_s && monotonic_s() >= *end_s) break;
      const SearchState& state = searches_[*place]->state();
      // What is known to be good is tried before a task is given up for another.
      const auto opening = static_cast<int64_t>(searches_[*place]->task().opening.size());
      const bool is_first = state.trials == 0;
      if (!is_first && !std::exchange(is_taught[*place], true)) teach(*place);
      const int64_t slice = is_first ? std::max<int64_t>(1, opening) : kSlice;
      const int64_t most = std::min(result_.tasks[*place].wanted, state.trials + slice);
      OPBENCH_CHECK(search(*place, log, {.trials = most, .deadline_s = end_s}));
      take_standing(*place, standings[*place]);
      const bool has_trials_left = state.trials < result_.tasks[*place].wanted;
      standings[*place].is_finished = state.is_exhausted || !has_trials_left;
    }
    for (size_t i = 0; i < searches_.size(); ++i) OPBENCH_CHECK(finish_shared(i, standings));
    return {};
  }

  std::vector<SearchStanding> first_standings() {
    std::map<std::string, size_t> units;
    std::vector<SearchStanding> standings;
    for (size_t i = 0; i < searches_.size(); ++i) {
      const TunedTask& task = result_.tasks[i];
      const std::string key = python_json(Argument::of_tuple(task.task.arguments));
      const size_t unit = units.try_emplace(key, units.size()).first->second;
      standings.push_back({.unit = unit, .uses = task.uses});
      if (task.state.trials == 0) continue;
      take_standing(i, standings.back());
      standings.back().gains.clear();
      standings.back().is_finished = task.state.trials >= task.wanted;
    }
    return standings;
  }

  /// What the last slice of a search did.
  void take_standing(size_t place, SearchStanding& standing) const {
    const SearchState& state = searches_[place]->state();
    const std::optional<double> before_s = standing.best_s;
    if (state.best) standing.best_s = state.best->logged_s;
    if (before_s) standing.gains.push_back(1 - *standing.best_s / *before_s);
    standing.trials = state.trials;
    const auto made = static_cast<double>(state.trials - state.resumed);
    standing.trial_s = made > 0 ? state.seconds / made : 0;
  }

  /// Leaves time to measure the winners.
  std::optional<double> shared_end(const std::vector<SearchStanding>& standings) const {
    if (!request_.budget_s) return std::nullopt;
    return begin_ + *request_.budget_s - winners_share(standings, *request_.budget_s);
  }

  /// Only the best search of a unit has a winner.
  Result<void> finish_shared(size_t place, const std::vector<SearchStanding>& standings) {
    const SearchStanding& own = standings[place];
    const bool is_best = std::ranges::none_of(standings, [&](const SearchStanding& other) {
      return other.unit == own.unit && other.best_s && (!own.best_s || *other.best_s < *own.best_s);
    });
    if (is_best) return finish(place);
    return close(place);
  }

  Result<void> search(size_t place, TrialLog& log, SearchOptions options) {
    TunedTask& task = result_.tasks[place];
    options.progress = [&](const SearchState& state) {
      task.state = state;
      const bool has_order = !request_.tuner->shares_trials;
      if (hooks_.progress) {
        hooks_.progress(task, has_order ? std::optional(place) : std::nullopt, searches_.size());
      }
    };
    Result<void> searched = searches_[place]->search(machine_, log, options);
    task.state = searches_[place]->state();
    return searched;
  }

  /// The time of a winner that nothing is left to measure is the one of its trial.
  Result<void> finish(size_t place) {
    const bool has_time = !request_.budget_s || monotonic_s() < begin_ + *request_.budget_s;
    if (has_time) OPBENCH_CHECK(searches_[place]->measure_winner(machine_));
    return close(place);
  }

  Result<void> close(size_t place) {
    TunedTask& task = result_.tasks[place];
    task.state = searches_[place]->state();
    task.is_finished = true;
    const bool is_short = task.state.trials < task.wanted && !task.state.is_exhausted;
    result_.is_out_of_time = result_.is_out_of_time || (is_short && request_.budget_s);
    if (hooks_.finished) hooks_.finished(task);
    return {};
  }

  const TuneRequest& request_;
  TrialMachine& machine_;
  const TuneHooks& hooks_;
  TuneResult result_;
  std::vector<std::unique_ptr<TaskSearch>> searches_;  ///< one a task of the result
  std::map<std::string, size_t> by_key_;
  std::set<std::string> known_;
  double begin_ = 0;
};

}  // namespace

Result<TuneResult> run_tune(const TuneRequest& request, TrialMachine& machine,
                            const TuneHooks& hooks) {
  return TuneRun(request, machine, hooks).run();
}

}  // namespace opbench
