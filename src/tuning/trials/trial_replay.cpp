#include "tuning/trials/trial_replay.h"

#include <algorithm>

#include "tuning/trials/trial.h"

namespace opbench {
namespace {

bool is_wanted(const ReplayTrial& trial) { return trial.task != nullptr && !trial.now; }

/// As it is logged when it is measured here.
TuningRecord measured_record(const ReplayTrial& trial, MeasuredConfig measured) {
  return record_of(*trial.task, Trial{.config = trial.config,
                                      .costs_s = std::move(measured.costs_s),
                                      .failure = std::move(measured.failure),
                                      .spent_s = measured.spent_s,
                                      .finished_at = unix_time_s()});
}

class TrialReplay {
 public:
  TrialReplay(std::vector<ReplayTrial> trials, TrialMachine& machine, TrialLog& log,
              const ReplayProgress& progress)
      : machine_(machine), log_(log), progress_(progress) {
    result_.trials = std::move(trials);
    total_ = static_cast<size_t>(std::ranges::count_if(result_.trials, is_wanted));
  }

  Result<ReplayedTrials> run() {
    std::vector<const TunableTask*> tasks;
    for (const ReplayTrial& trial : result_.trials) {
      if (!is_wanted(trial) || std::ranges::find(tasks, trial.task) != tasks.end()) continue;
      tasks.push_back(trial.task);
    }
    for (const TunableTask* task : tasks) {
      const Result<void> replayed = replay(*task);
      if (!replayed && replayed.error().code == ErrorCode::kInterrupted) {
        result_.is_interrupted = true;
        break;
      }
      OPBENCH_CHECK(replayed);
    }
    OPBENCH_CHECK(log_.sync(true));
    result_.warnings = machine_.warnings();
    return std::move(result_);
  }

 private:
  Result<void> replay(const TunableTask& task) {
    std::vector<size_t> places;
    for (size_t i = 0; i < result_.trials.size(); ++i) {
      if (result_.trials[i].task == &task && is_wanted(result_.trials[i])) places.push_back(i);
    }
    machine_.begin(task);
    size_t started = 0;
    for (size_t finished = 0; finished < places.size(); ++finished) {
      for (; started < places.size() && started < finished + machine_.width(); ++started) {
        OPBENCH_CHECK(start(places[started]));
      }
      OPBENCH_TRY(MeasuredConfig measured, machine_.finish(0));
      OPBENCH_CHECK(note(std::move(measured)));
    }
    return {};
  }

  /// Trials go by their place, as two of a log may be of one config.
  Result<void> start(size_t place) {
    const ReplayTrial& trial = result_.trials[place];
    OPBENCH_TRY(KernelSpec spec, candidate_of(*trial.task, trial.config));
    machine_.start(place, std::move(spec));
    return {};
  }

  Result<void> note(MeasuredConfig measured) {
    ReplayTrial& trial = result_.trials.at(measured.index);
    const TuningRecord record = measured_record(trial, std::move(measured));
    OPBENCH_CHECK(log_.append(record));
    OPBENCH_CHECK(log_.sync());
    trial.now = record.result;
    ++done_;
    if (progress_) progress_(done_, total_, trial);
    return {};
  }

  ReplayedTrials result_;
  TrialMachine& machine_;
  TrialLog& log_;
  const ReplayProgress& progress_;
  size_t done_ = 0;
  size_t total_ = 0;
};

}  // namespace

Result<size_t> take_replayed(TrialLog& log, std::vector<ReplayTrial>& trials) {
  std::multimap<std::string, ReplayTrial*> open;
  for (ReplayTrial& trial : trials) {
    if (!is_wanted(trial)) continue;
    open.emplace(replay_key(measured_record(trial, {})), &trial);
  }
  size_t taken = 0;
  OPBENCH_CHECK(log.read([&](const TuningRecord& record) -> Result<void> {
    const auto [found, end] = open.equal_range(replay_key(record));
    if (found == end) return {};
    found->second->now = record.result;
    open.erase(found);
    ++taken;
    return {};
  }));
  return taken;
}

Result<ReplayedTrials> replay_trials(std::vector<ReplayTrial> trials, TrialMachine& machine,
                                     TrialLog& log, const ReplayProgress& progress) {
  return TrialReplay(std::move(trials), machine, log, progress).run();
}

}  // namespace opbench
