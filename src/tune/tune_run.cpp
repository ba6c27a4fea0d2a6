#include "opbench/tune/tune_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "opbench/base/monotonic_clock.h"
#include "opbench/hardware/tvm_target.h"

namespace opbench {
namespace {

class TuneRun {
 public:
  TuneRun(const TuneRequest& request, TrialMachine& machine, const TuneHooks& hooks)
      : request_(request), machine_(machine), hooks_(hooks) {}

  Result<TuneResult> run() {
    OPBENCH_CHECK(choose_tasks());
    OPBENCH_TRY(TrialLog log, TrialLog::open(request_.log));
    OPBENCH_CHECK(read_log(log));
    begin_ = monotonic_s();
    for (size_t i = 0; i < searches_.size(); ++i) {
      const Result<void> searched = search(i, log);
      if (!searched && searched.error().code == ErrorCode::kInterrupted) {
        result_.is_interrupted = true;
        break;
      }
      OPBENCH_CHECK(searched);
    }
    result_.seconds = monotonic_s() - begin_;
    return std::move(result_);
  }

 private:
  Result<void> choose_tasks() {
    for (size_t i = 0; i < request_.tasks.size(); ++i) {
      known_.insert(workload_key(record_of(request_.tasks[i])));
      if (request_.only && i != *request_.only) continue;
      auto tunable = tunable_task(request_.tasks[i], i);
      if (!tunable) {
        result_.untuned.push_back({i, request_.tasks[i], tunable.error().message});
        continue;
      }
      const Result<void> searchable = check_tuner(request_.tasks[i]);
      if (!searchable && searchable.error().code == ErrorCode::kEnvironment) return searchable;
      if (!searchable) {
        result_.untuned.push_back({i, request_.tasks[i], searchable.error().message});
        continue;
      }
      add(std::move(*tunable));
    }
    if (!searches_.empty()) return {};
    Error error{ErrorCode::kNoMatch, "no task can be tuned here"};
    for (const UntunedTask& task : result_.untuned) {
      error.facts.push_back({fmt::format("task {}", task.number), task.reason});
    }
    return error;
  }

  Result<void> check_tuner(const Task& task) const {
    return request_.tuner->check == nullptr ? Result<void>() : request_.tuner->check(task);
  }

  void add(TunableTask task) {
    const auto most =
        static_cast<int64_t>(std::min<uint64_t>(task.size, static_cast<uint64_t>(request_.trials)));
    by_key_[workload_key(record_of(task.task))] = searches_.size();
    result_.tasks.push_back({.number = task.number,
                             .task = task.task,
                             .size = task.size,
                             .flops = task.flops,
                             .wanted = most});
    searches_.push_back(
        std::make_unique<TaskSearch>(std::move(task), *request_.tuner, request_.seed));
  }

  Result<void> read_log(TrialLog& log) {
    OPBENCH_TRY(const TvmTarget target,
                parse_tvm_target(display_text(request_.tasks.front().target)));
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
        .with("this one", display_text(request_.tasks.front().target));
  }

  Result<void> take(const TuningRecord& record) {
    const std::string key = workload_key(record);
    const auto found = by_key_.find(key);
    if (found != by_key_.end()) return searches_[found->second]->resume(record);
    if (known_.contains(key)) return {};  // a task that is not tuned now
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("log \"{}\" is of another model", request_.log.string())}
        .with("its task", key);
  }

  /// An equal share of what is left of the time.
  std::optional<double> deadline_s(size_t place) const {
    if (!request_.budget_s) return std::nullopt;
    const double now = monotonic_s();
    const double left = *request_.budget_s - (now - begin_);
    return now + std::max(0.0, left) / static_cast<double>(searches_.size() - place);
  }

  Result<void> search(size_t place, TrialLog& log) {
    TunedTask& task = result_.tasks[place];
    SearchOptions options{.trials = task.wanted, .deadline_s = deadline_s(place)};
    options.progress = [&](const SearchState& state) {
      task.state = state;
      if (hooks_.progress) hooks_.progress(task, place, searches_.size());
    };
    for (size_t i = 0; i < searches_.size(); ++i) {
      if (i != place) searches_[place]->learn_from(*searches_[i]);
    }
    const Result<void> searched = searches_[place]->run(machine_, log, options);
    task.state = searches_[place]->state();
    if (!searched) return searched;
    task.is_finished = true;
    const bool is_short = task.state.trials < task.wanted && !task.state.is_exhausted;
    result_.is_out_of_time = result_.is_out_of_time || is_short;
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
