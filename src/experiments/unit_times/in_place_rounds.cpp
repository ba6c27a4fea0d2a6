#include "experiments/unit_times/in_place_rounds.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "measuring/results/sample_flags.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr int kFewestRuns = 2;
constexpr int kMostRuns = 2000;

// The runs of one engine run, process by process.
struct TimedRuns {
  std::vector<std::vector<ProfileRun>> by_process;
  Seconds spent{0};
  bool is_empty = true;
};

class InPlaceRounds {
 public:
  InPlaceRounds(const InPlaceRuns& engine_runs, EngineRunner& runner, Clock& clock,
                const RoundOptions& options, std::vector<RunInPlace> results)
      : engine_runs_(engine_runs),
        runner_(runner),
        clock_(clock),
        options_(options),
        runs_(engine_runs.engine_runs.size()),
        results_(std::move(results)) {
    for (TimedRuns& runs : runs_) runs.by_process.resize(static_cast<size_t>(options.processes));
  }

  std::vector<RunInPlace> warm_up() {
    for (int process = 0; process < options_.processes; ++process) {
      for (size_t engine_run = 0; engine_run < runs_.size(); ++engine_run) {
        if (results_[engine_run].failure || is_cancelled()) continue;
        set_beside(engine_run, true);
        request(engine_run, process, warm_up_runs(engine_run, process));
        set_beside(engine_run, false);
        if (options_.progress) options_.progress(engine_run, process + 1, options_.processes);
      }
    }
    return std::move(results_);
  }

  std::vector<RunInPlace> run() {
    for (int visit = 0; visit < visits(); ++visit) {
      for (size_t i = 0; i < runs_.size(); ++i) {
        make_visit(visit % 2 == 0 ? i : runs_.size() - 1 - i, visit);
      }
    }
    for (size_t engine_run = 0; engine_run < runs_.size(); ++engine_run) conclude(engine_run);
    return std::move(results_);
  }

 private:
  int visits() const { return options_.rounds * options_.processes; }
  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  void set_beside(size_t engine_run, bool is_at_work) const {
    if (options_.beside) options_.beside(engine_run, is_at_work);
  }

  // One run in the first process, then a few: two points show what is fixed.
  int warm_up_runs(size_t engine_run, int process) const {
    constexpr double kWarmUpSeconds = 0.1;
    constexpr int kMostWarmUp = 5;
    const int least = static_cast<int>(std::min<int64_t>(options_.warm_up, INT32_MAX));
    if (process == 0) return std::max(1, least);
    const double paid = kWarmUpSeconds / std::max(1e-9, results_[engine_run].cost.run_itself_s());
    return std::max(least, static_cast<int>(std::clamp<double>(paid, 1, kMostWarmUp)));
  }

  int runs_of_visit(size_t engine_run, int visit) const {
    if (options_.runs > 0) {
      const int64_t extra = visit < options_.runs % visits() ? 1 : 0;
      return static_cast<int>(options_.runs / visits() + extra);
    }
    const RequestCost& cost = results_[engine_run].cost;
    const double left = (options_.budget - runs_[engine_run].spent).count();
    // At most half of the time goes into what is fixed.
    const double by_cost = cost.fixed_s() > 0 ? left / (2 * cost.fixed_s()) : visits();
    const double visits_left = std::clamp<double>(by_cost, 1, visits() - visit);
    const int count = std::clamp(cost.affordable(left / visits_left), kFewestRuns, kMostRuns);
    if (cost.of(count) <= left) return count;
    return runs_[engine_run].is_empty ? std::clamp(cost.affordable(left), 1, kFewestRuns) : 0;
  }

  void make_visit(size_t engine_run, int visit) {
    TimedRuns& runs = runs_[engine_run];
    if (results_[engine_run].failure || (is_cancelled() && !runs.is_empty)) return;
    const int count = runs_of_visit(engine_run, visit);
    if (count == 0) return;
    const int process = visit % options_.processes;
    std::vector<ProfileRun> of_visit;
    set_beside(engine_run, true);
    const Seconds begin = clock_.now();
    // An engine may make fewer runs than it is asked for; a number that was asked for counts.
    for (int left = count; left > 0 && !results_[engine_run].failure;) {
      auto made = request(engine_run, process, std::min(left, kMostRuns));
      left = options_.runs > 0 ? left - static_cast<int>(made.size()) : 0;
      std::ranges::move(made, std::back_inserter(of_visit));
      if (is_cancelled()) break;
    }
    runs.spent += clock_.now() - begin;
    set_beside(engine_run, false);
    keep(engine_run, visit, std::move(of_visit));
    if (options_.progress) options_.progress(engine_run, visit + 1, visits());
  }

  void keep(size_t engine_run, int visit, std::vector<ProfileRun> made) {
    if (made.empty()) return;
    const int process = visit % options_.processes;
    const int threads = engine_runs_.engine_runs[engine_run]->found.result.threads;
    results_[engine_run].visits[visit] = visit_time_of(made, process, threads);
    runs_[engine_run].is_empty = false;
    std::ranges::move(
        made, std::back_inserter(runs_[engine_run].by_process[static_cast<size_t>(process)]));
  }

  // The runs, or none and a failure of the engine run.
  std::vector<ProfileRun> request(size_t engine_run, int process, int count) {
    RunInPlace& result = results_[engine_run];
    const Seconds limit{60 + 40 * result.cost.of(count)};
    const Seconds begin = clock_.now();
    const auto reply = runner_.call(engine_runs_.engines[engine_run], process, kModelPreparation,
                                    "profile", {{"runs", count}}, limit);
    if (!reply) {
      result.failure = reply.error();
      return {};
    }
    auto parsed = parse_profile_runs(*reply);
    if (!parsed) {
      result.failure = parsed.error();
      return {};
    }
    const TimeClock clock = engine_runs_.engine_runs[engine_run]->built.setup.clock;
    for (ProfileRun& run : *parsed) {
      if (run.plain.clock == TimeClock::kWall) run.plain.clock = clock;
    }
    const ProfileRun& last = parsed->back();
    result.cost.add(static_cast<int>(parsed->size()), (clock_.now() - begin).count(),
                    last.plain.wall_s + last.instrumented.wall_s);
    if (reply->contains("units")) result.units = reply->at("units").dump();
    const auto peak = reply->find("peak_memory_mb");
    if (peak != reply->end() && peak->is_number()) {
      double& largest = result.peak_memory_mb[process];
      largest = std::max(largest, peak->get<double>());
    }
    return std::move(*parsed);
  }

  void conclude(size_t engine_run) {
    if (results_[engine_run].failure) return;
    const EngineResult& engine = engine_runs_.engine_runs[engine_run]->found.result;
    auto times = in_place_times(runs_[engine_run].by_process, engine.threads, options_.seed,
                                {.first_is_warm_up = options_.runs == 0,
                                 .call_floor_ms = engine.call_floor_ms,
                                 .clock_step_ms = options_.clock_step_ms,
                                 .noise_percent = options_.noise_percent});
    if (times) {
      results_[engine_run].times = std::move(*times);
      if (options_.runs > 0) results_[engine_run].times->end_to_end.stop_reason = "runs";
    } else {
      results_[engine_run].failure = times.error();
    }
  }

  const InPlaceRuns& engine_runs_;
  EngineRunner& runner_;
  Clock& clock_;
  const RoundOptions& options_;
  std::vector<TimedRuns> runs_;
  std::vector<RunInPlace> results_;
};

}  // namespace

VisitTime visit_time_of(const std::vector<ProfileRun>& runs, int process, int threads) {
  std::vector<Sample> plain;
  for (const ProfileRun& run : runs) plain.push_back(run.plain);
  FlagContext context{
      .launches = runs.empty() ? 0 : static_cast<int64_t>(runs.front().units_s.size()),
      .threads = threads,
      .usual_faults = usual_faults(plain)};
  std::vector<double> clean_s, all_s;
  std::map<std::string, size_t> causes;
  for (const Sample& sample : plain) {
    const std::string flag = flag_of(sample, context);
    context.last_cpu = sample.cpu;
    all_s.push_back(sample.wall_s);
    if (flag.empty()) clean_s.push_back(sample.wall_s);
    if (!flag.empty()) ++causes[flag];
  }
  if (2 * clean_s.size() >= all_s.size()) return {process, median(clean_s), ""};
  const auto count = [](const auto& cause) { return cause.second; };
  return {process, median(all_s), std::ranges::max_element(causes, {}, count)->first};
}

std::vector<PairedRound> paired_visits(const std::vector<RunInPlace>& engine_runs) {
  std::vector<PairedRound> rounds;
  if (engine_runs.empty()) return rounds;
  for (const auto& [number, first] : engine_runs.front().visits) {
    PairedRound round{.process = first.process, .log_s = {}, .cause = ""};
    for (const RunInPlace& engine_run : engine_runs) {
      const auto visit = engine_run.visits.find(number);
      if (visit == engine_run.visits.end()) break;
      round.log_s.push_back(std::log(visit->second.plain_s));
      if (round.cause.empty()) round.cause = visit->second.cause;
    }
    if (round.log_s.size() == engine_runs.size()) rounds.push_back(std::move(round));
  }
  return rounds;
}

std::vector<RunInPlace> warm_up_in_place(const InPlaceRuns& engine_runs, EngineRunner& runner,
                                         Clock& clock, const RoundOptions& options) {
  std::vector<RunInPlace> fresh(engine_runs.engine_runs.size());
  return InPlaceRounds(engine_runs, runner, clock, options, std::move(fresh)).warm_up();
}

std::vector<RunInPlace> profile_in_rounds(const InPlaceRuns& engine_runs, EngineRunner& runner,
                                          Clock& clock, const RoundOptions& options,
                                          std::vector<RunInPlace> started) {
  return InPlaceRounds(engine_runs, runner, clock, options, std::move(started)).run();
}

}  // namespace opbench
