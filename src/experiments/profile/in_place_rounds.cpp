#include "experiments/profile/in_place_rounds.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include "measuring/sampling/request_account.h"

namespace opbench {
namespace {

constexpr int kFewestRuns = 2;
constexpr int kMostRuns = 2000;

// The runs of one lane, process by process.
struct LaneRuns {
  std::vector<std::vector<ProfileRun>> by_process;
  Seconds spent{0};
  bool is_empty = true;
  PairBook book;
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
        request(lane, process, warm_up_runs(lane, process));
        if (options_.progress) options_.progress(lane, process + 1, options_.processes);
      }
    }
    return std::move(results_);
  }

  std::vector<LaneInPlace> run() {
    for (int visit = 0; visit < visits(); ++visit) {
      for (size_t lane = 0; lane < runs_.size(); ++lane) make_visit(lane, visit);
    }
    for (size_t lane = 0; lane < runs_.size(); ++lane) conclude(lane);
    return std::move(results_);
  }

 private:
  int visits() const { return options_.rounds * options_.processes; }
  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

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
    const Seconds begin = clock_.now();
    // An engine may make fewer runs than it is asked for; a number that was asked for counts.
    for (int left = count; left > 0 && !results_[lane].failure;) {
      auto made = request(lane, process, std::min(left, kMostRuns));
      left = options_.runs > 0 ? left - static_cast<int>(made.size()) : 0;
      runs.is_empty = runs.is_empty && made.empty();
      std::ranges::move(made, std::back_inserter(runs.by_process[static_cast<size_t>(process)]));
      if (is_cancelled()) break;
    }
    runs.spent += clock_.now() - begin;
    if (options_.progress) options_.progress(lane, visit + 1, visits());
  }

  // The runs, or none and a failure of the lane.
  std::vector<ProfileRun> request(size_t lane, int process, int count) {
    LaneInPlace& result = results_[lane];
    const Seconds limit{60 + 40 * result.cost.of(count)};
    const Seconds begin = clock_.now();
    const auto before = runner_.use(lanes_.engines[lane], process);
    const auto reply = runner_.call(lanes_.engines[lane], process, kModelPreparation, "profile",
                                    {{"runs", count}}, limit);
    const auto after = runner_.use(lanes_.engines[lane], process);
    if (!reply) {
      result.failure = reply.error();
      return {};
    }
    auto parsed = parse_profile_runs(*reply);
    if (!parsed) {
      result.failure = parsed.error();
      return {};
    }
    if (before && after) {
      double timed_s = 0;
      for (const ProfileRun& run : *parsed) timed_s += run.plain.wall_s + run.instrumented.wall_s;
      PairBook& book = runs_[lane].book;
      book.add(static_cast<int>(parsed->size()), after->main_s - before->main_s, timed_s);
      if (auto finding = book.finding()) {
        result.failure = std::move(*finding);
        return {};
      }
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
