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

// The runs of one lane, process by process.
struct LaneRuns {
  std::vector<std::vector<ProfileRun>> by_process;
  Seconds spent{0};
  bool is_empty = true;
};

class InPlaceRounds {
 public:
  InPlaceRounds(const InPlaceLanes& lanes, EngineRunner& runner, Clock& clock,
                const RoundOptions& options, std::vector<LaneInPlace> results)
      : lanes_(lanes),
        runner_(runner),
        clock_(clock),
        options_(options),
        runs_(lanes.lanes.size()),
        results_(std::move(results)) {
    for (LaneRuns& runs : runs_) runs.by_process.resize(static_cast<size_t>(options.processes));
  }

  std::vector<LaneInPlace> warm_up() {
    for (int process = 0; process < options_.processes; ++process) {
      for (size_t lane = 0; lane < runs_.size(); ++lane) {
        if (results_[lane].failure || is_cancelled()) continue;
        set_beside(lane, true);
        request(lane, process, warm_up_runs(lane, process));
        set_beside(lane, false);
        if (options_.progress) options_.progress(lane, process + 1, options_.processes);
      }
    }
    return std::move(results_);
  }

  std::vector<LaneInPlace> run() {
    for (int visit = 0; visit < visits(); ++visit) {
      for (size_t i = 0; i < runs_.size(); ++i) {
        make_visit(visit % 2 == 0 ? i : runs_.size() - 1 - i, visit);
      }
    }
    for (size_t lane = 0; lane < runs_.size(); ++lane) conclude(lane);
    return std::move(results_);
  }

 private:
  int visits() const { return options_.rounds * options_.processes; }
  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  void set_beside(size_t lane, bool is_at_work) const {
    if (options_.beside) options_.beside(lane, is_at_work);
  }

  // One run in the first process, then a few: two points show what is fixed.
  int warm_up_runs(size_t lane, int process) const {
    constexpr double kWarmUpSeconds = 0.1;
    constexpr int kMostWarmUp = 5;
    const int least = static_cast<int>(std::min<int64_t>(options_.warm_up, INT32_MAX));
    if (process == 0) return std::max(1, least);
    const double paid = kWarmUpSeconds / std::max(1e-9, results_[lane].cost.run_itself_s());
    return std::max(least, static_cast<int>(std::clamp<double>(paid, 1, kMostWarmUp)));
  }

  int runs_of_visit(size_t lane, int visit) const {
    if (options_.runs > 0) {
      const int64_t extra = visit < options_.runs % visits() ? 1 : 0;
      return static_cast<int>(options_.runs / visits() + extra);
    }
    const RequestCost& cost = results_[lane].cost;
    const double left = (options_.budget - runs_[lane].spent).count();
    // At most half of the time goes into what is fixed.
    const double by_cost = cost.fixed_s() > 0 ? left / (2 * cost.fixed_s()) : visits();
    const double visits_left = std::clamp<double>(by_cost, 1, visits() - visit);
    const int count = std::clamp(cost.affordable(left / visits_left), kFewestRuns, kMostRuns);
    if (cost.of(count) <= left) return count;
    return runs_[lane].is_empty ? std::clamp(cost.affordable(left), 1, kFewestRuns) : 0;
  }

  void make_visit(size_t lane, int visit) {
    LaneRuns& runs = runs_[lane];
    if (results_[lane].failure || (is_cancelled() && !runs.is_empty)) return;
    const int count = runs_of_visit(lane, visit);
    if (count == 0) return;
    const int process = visit % options_.processes;
    std::vector<ProfileRun> of_visit;
    set_beside(lane, true);
    const Seconds begin = clock_.now();
    // An engine may make fewer runs than it is asked for; a number that was asked for counts.
    for (int left = count; left > 0 && !results_[lane].failure;) {
      auto made = request(lane, process, std::min(left, kMostRuns));
      left = options_.runs > 0 ? left - static_cast<int>(made.size()) : 0;
      std::ranges::move(made, std::back_inserter(of_visit));
      if (is_cancelled()) break;
    }
    runs.spent += clock_.now() - begin;
    set_beside(lane, false);
    keep(lane, visit, std::move(of_visit));
    if (options_.progress) options_.progress(lane, visit + 1, visits());
  }

  void keep(size_t lane, int visit, std::vector<ProfileRun> made) {
    if (made.empty()) return;
    const int process = visit % options_.processes;
    const int threads = lanes_.lanes[lane]->result.threads;
    results_[lane].visits[visit] = visit_time_of(made, process, threads);
    runs_[lane].is_empty = false;
    std::ranges::move(made,
                      std::back_inserter(runs_[lane].by_process[static_cast<size_t>(process)]));
  }

  // The runs, or none and a failure of the lane.
  std::vector<ProfileRun> request(size_t lane, int process, int count) {
    LaneInPlace& result = results_[lane];
    const Seconds limit{60 + 40 * result.cost.of(count)};
    const Seconds begin = clock_.now();
    const auto reply = runner_.call(lanes_.engines[lane], process, kModelPreparation, "profile",
                                    {{"runs", count}}, limit);
    if (!reply) {
      result.failure = reply.error();
      return {};
    }
    auto parsed = parse_profile_runs(*reply);
    if (!parsed) {
      result.failure = parsed.error();
      return {};
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

  void conclude(size_t lane) {
    if (results_[lane].failure) return;
    const EngineResult& engine = lanes_.lanes[lane]->result;
    auto times = in_place_times(runs_[lane].by_process, engine.threads, options_.seed,
                                {.first_is_warm_up = options_.runs == 0,
                                 .call_floor_ms = engine.call_floor_ms,
                                 .clock_step_ms = options_.clock_step_ms,
                                 .noise_percent = options_.noise_percent});
    if (times) {
      results_[lane].times = std::move(*times);
      if (options_.runs > 0) results_[lane].times->end_to_end.stop_reason = "runs";
    } else {
      results_[lane].failure = times.error();
    }
  }

  const InPlaceLanes& lanes_;
  EngineRunner& runner_;
  Clock& clock_;
  const RoundOptions& options_;
  std::vector<LaneRuns> runs_;
  std::vector<LaneInPlace> results_;
};

}  // namespace

VisitTime visit_time_of(const std::vector<ProfileRun>& runs, int process, int threads) {
  std::vector<Sample> plain;
  for (const ProfileRun& run : runs) plain.push_back(run.plain);
  FlagContext context{.threads = threads, .usual_faults = usual_faults(plain)};
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

std::vector<PairedRound> paired_visits(const std::vector<LaneInPlace>& lanes) {
  std::vector<PairedRound> rounds;
  if (lanes.empty()) return rounds;
  for (const auto& [number, first] : lanes.front().visits) {
    PairedRound round{.process = first.process, .log_s = {}, .cause = ""};
    for (const LaneInPlace& lane : lanes) {
      const auto visit = lane.visits.find(number);
      if (visit == lane.visits.end()) break;
      round.log_s.push_back(std::log(visit->second.plain_s));
      if (round.cause.empty()) round.cause = visit->second.cause;
    }
    if (round.log_s.size() == lanes.size()) rounds.push_back(std::move(round));
  }
  return rounds;
}

std::vector<LaneInPlace> warm_up_in_place(const InPlaceLanes& lanes, EngineRunner& runner,
                                          Clock& clock, const RoundOptions& options) {
  std::vector<LaneInPlace> fresh(lanes.lanes.size());
  return InPlaceRounds(lanes, runner, clock, options, std::move(fresh)).warm_up();
}

std::vector<LaneInPlace> profile_in_rounds(const InPlaceLanes& lanes, EngineRunner& runner,
                                           Clock& clock, const RoundOptions& options,
                                           std::vector<LaneInPlace> started) {
  return InPlaceRounds(lanes, runner, clock, options, std::move(started)).run();
}

}  // namespace opbench
