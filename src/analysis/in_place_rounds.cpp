#include "opbench/analysis/in_place_rounds.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace opbench {
namespace {

constexpr int kFewestRuns = 2;
constexpr int kMostRuns = 2000;

// The runs of one lane, process by process, and how long one takes.
struct LaneRuns {
  std::vector<std::vector<ProfileRun>> by_process;
  double run_s = 0;
};

class InPlaceRounds {
 public:
  InPlaceRounds(const std::vector<const Lane*>& lanes, const std::vector<int>& engines,
                EngineRunner& runner, const RoundOptions& options)
      : lanes_(lanes),
        engines_(engines),
        runner_(runner),
        options_(options),
        runs_(lanes.size()),
        results_(lanes.size()) {
    for (LaneRuns& runs : runs_) runs.by_process.resize(static_cast<size_t>(options.processes));
  }

  std::vector<LaneInPlace> run() {
    for (int round = 0; round < options_.rounds; ++round) {
      for (int process = 0; process < options_.processes; ++process) {
        for (size_t lane = 0; lane < lanes_.size(); ++lane) visit(lane, process, round);
      }
    }
    for (size_t lane = 0; lane < lanes_.size(); ++lane) conclude(lane);
    return std::move(results_);
  }

 private:
  // The first visit finds out how long a run takes.
  void visit(size_t lane, int process, int round) {
    const bool is_cancelled = options_.cancel != nullptr && *options_.cancel;
    if (results_[lane].failure || (is_cancelled && runs_[lane].run_s > 0)) return;
    if (runs_[lane].run_s == 0) request(lane, process, kFewestRuns);
    if (results_[lane].failure) return;
    const double share =
        options_.budget.count() / options_.rounds / options_.processes / runs_[lane].run_s;
    const double count = std::clamp<double>(share, kFewestRuns, kMostRuns);
    request(lane, process, static_cast<int>(count));
    if (options_.progress) {
      options_.progress(lane, round * options_.processes + process + 1,
                        options_.rounds * options_.processes);
    }
  }

  void request(size_t lane, int process, int count) {
    LaneRuns& runs = runs_[lane];
    const Seconds limit{60 + 40 * count * runs.run_s};
    const auto reply = runner_.call(engines_[lane], process, kModelPreparation, "profile",
                                    {{"runs", count}}, limit);
    if (!reply) {
      results_[lane].failure = reply.error();
      return;
    }
    auto parsed = parse_profile_runs(*reply);
    if (!parsed) {
      results_[lane].failure = parsed.error();
      return;
    }
    runs.run_s = parsed->back().plain.wall_s + parsed->back().instrumented.wall_s;
    auto& kept = runs.by_process[static_cast<size_t>(process)];
    kept.insert(kept.end(), parsed->begin(), parsed->end());
    if (reply->contains("units")) results_[lane].units = reply->at("units").dump();
    const auto peak = reply->find("peak_memory_mb");
    if (peak == reply->end() || !peak->is_number()) return;
    results_[lane].peak_memory_mb =
        std::max(results_[lane].peak_memory_mb.value_or(0), peak->get<double>());
  }

  void conclude(size_t lane) {
    if (results_[lane].failure) return;
    auto times =
        in_place_times(runs_[lane].by_process, lanes_[lane]->result.threads, options_.seed);
    if (times) {
      results_[lane].times = std::move(*times);
    } else {
      results_[lane].failure = times.error();
    }
  }

  const std::vector<const Lane*>& lanes_;
  const std::vector<int>& engines_;
  EngineRunner& runner_;
  const RoundOptions& options_;
  std::vector<LaneRuns> runs_;
  std::vector<LaneInPlace> results_;
};

}  // namespace

std::vector<LaneInPlace> profile_in_rounds(const std::vector<const Lane*>& lanes,
                                           const std::vector<int>& engines, EngineRunner& runner,
                                           const RoundOptions& options) {
  return InPlaceRounds(lanes, engines, runner, options).run();
}

}  // namespace opbench
