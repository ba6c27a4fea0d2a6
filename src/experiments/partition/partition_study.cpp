#include "experiments/partition/partition_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "experiments/devices/place_verdict.h"
#include "planning/place/partition.h"

namespace opbench {
namespace {

/// Knows the times of few sizes and guesses the others low, so that a size which is slow on its own
/// hides no good one beside it.
class ProbedCurve {
 public:
  ProbedCurve(int device, const std::function<double(int, int)>& time_ms)
      : device_(device), time_ms_(time_ms) {}

  /// False if the size has been looked at before.
  bool look(int parts) {
    if (parts < 1 || known_.contains(parts)) return false;
    known_[parts] = time_ms_(device_, parts);
    return true;
  }

  /// The time of a known size; else the lower convex hull of the known times, less 7 %: the hull
  /// alone misses the best split of staircases with wide steps.
  double at(int parts) const {
    constexpr double kHope = 0.93;
    if (const auto known = known_.find(parts); known != known_.end()) return known->second;
    const auto above = known_.upper_bound(parts);
    double least = std::numeric_limits<double>::infinity();
    for (auto low = known_.begin(); low != above; ++low) {
      for (auto high = above; high != known_.end(); ++high) {
        const double share = static_cast<double>(parts - low->first) / (high->first - low->first);
        least = std::min(least, low->second + share * (high->second - low->second));
      }
    }
    return kHope * least;
  }

  int count() const { return static_cast<int>(known_.size()); }

 private:
  int device_;
  const std::function<double(int, int)>& time_ms_;
  std::map<int, double> known_;
};

double partition_study_time_of(const PartTimes& times, int parts) {
  return times.times_ms[static_cast<size_t>(parts - 1)];
}

SplitCosts costs_of(const PartitionGrid& grid, double second_factor) {
  return {.parts = grid.parts,
          .first_ms = [&grid](int parts) { return partition_study_time_of(grid.first, parts); },
          .second_ms =
              [&grid, second_factor](int parts) {
                return second_factor * partition_study_time_of(grid.second, parts);
              },
          .join_ms = grid.join_ms};
}

void balance(const PartitionGrid& grid, const PartitionStudyOptions& options,
             PartitionStudy& study) {
  constexpr double kNear = 1.03;
  SplitBalancer balancer(costs_of(grid, 1), study.best.first_parts, {});
  for (int round = 0; round < options.rounds; ++round) {
    const double factor = round >= options.slow_round ? options.slow_factor : 1;
    const int first = balancer.first_parts();
    const int second = grid.parts - first;
    const SplitCosts costs = costs_of(grid, factor);
    const double best = best_split(costs).time_ms;
    study.rounds.push_back({first, split_ms(costs, first), best});
    const bool is_near = study.rounds.back().time_ms <= kNear * best;
    if (round >= options.slow_round && is_near && !study.adapted_after) {
      study.adapted_after = round - options.slow_round;
    }
    balancer.tell(first > 0 ? partition_study_time_of(grid.first, first) : 0,
                  second > 0 ? factor * partition_study_time_of(grid.second, second) : 0);
  }
}

/// The half-width of a size's interval; none: 0.
double error_of_size(const PartTimes& times, int parts) {
  const auto at = static_cast<size_t>(parts - 1);
  return at < times.errors_ms.size() ? times.errors_ms[at] : 0;
}

/// The larger of both sides' errors, as the slower side counts.
double error_of_split(const PartitionGrid& grid, int first_parts) {
  const int second_parts = grid.parts - first_parts;
  double error = 0;
  if (first_parts > 0) error = error_of_size(grid.first, first_parts);
  if (second_parts > 0) error = std::max(error, error_of_size(grid.second, second_parts));
  return error;
}

void judge_splits(const PartitionGrid& grid, PartitionStudy& study) {
  if (grid.control) {
    study.floor = std::max({kPlaceMargin, grid.control->high - 1, 1 / grid.control->low - 1});
  }
  const int all = grid.parts;
  const double first_ms = partition_study_time_of(grid.first, all);
  const double second_ms = partition_study_time_of(grid.second, all);
  study.second = ratio_of_times(second_ms, error_of_size(grid.second, all), first_ms,
                                error_of_size(grid.first, all));
  study.second_verdict =
      place_verdict(1 / study.second.high, 1 / study.second.low, study.floor, false);
  const PartTimes& faster = first_ms <= second_ms ? grid.first : grid.second;
  study.speedup = ratio_of_times(study.alone_ms, error_of_size(faster, all), study.best.time_ms,
                                 error_of_split(grid, study.best.first_parts));
  study.verdict = place_verdict(study.speedup.low, study.speedup.high, study.floor, false);
}

Result<void> check(const PartitionGrid& grid) {
  for (const PartTimes* one : {&grid.first, &grid.second}) {
    const bool is_complete =
        grid.parts >= 1 && one->times_ms.size() == static_cast<size_t>(grid.parts) &&
        std::ranges::all_of(one->times_ms,
                            [](double time) { return std::isfinite(time) && time > 0; });
    if (is_complete) continue;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("there is no time above 0 of every size on {}", one->device)};
  }
  return {};
}

}  // namespace

SplitChoice probe_split(int parts, double join_ms,
                        const std::function<double(int device, int parts)>& time_ms, int& probes) {
  std::array<ProbedCurve, 2> curves = {ProbedCurve(0, time_ms), ProbedCurve(1, time_ms)};
  for (ProbedCurve& curve : curves) {
    for (const int size : {1, parts / 2, parts}) curve.look(size);
  }
  const SplitCosts costs{.parts = parts,
                         .first_ms = [&](int size) { return curves[0].at(size); },
                         .second_ms = [&](int size) { return curves[1].at(size); },
                         .join_ms = join_ms};
  Split split = best_split(costs);
  // Each turn looks at a new size, so that this ends.
  for (bool is_new = true; is_new;) {
    is_new = curves[0].look(split.first_parts);
    is_new = curves[1].look(parts - split.first_parts) || is_new;
    split = best_split(costs);
  }
  probes = curves[0].count() + curves[1].count();
  return {split.first_parts, split.time_ms};
}

TimeRatio ratio_of_times(double over_ms, double over_error_ms, double under_ms,
                         double under_error_ms) {
  const double error = std::hypot(over_error_ms / over_ms, under_error_ms / under_ms);
  const double ratio = over_ms / under_ms;
  return {ratio, ratio * std::exp(-error), ratio * std::exp(error)};
}

Result<PartitionStudy> study_partition(const PartitionGrid& grid,
                                       const PartitionStudyOptions& options) {
  OPBENCH_CHECK(check(grid));
  PartitionStudy study{.slow_factor = options.slow_factor, .slow_round = options.slow_round};
  const SplitCosts costs = costs_of(grid, 1);
  for (int first = 0; first <= grid.parts; ++first) {
    study.grid.push_back({first, split_ms(costs, first)});
  }
  const Split best = best_split(costs);
  study.best = {best.first_parts, best.time_ms};
  study.alone_ms = std::min(study.grid.front().time_ms, study.grid.back().time_ms);
  study.even = study.grid[static_cast<size_t>(grid.parts / 2)];
  const auto measured = [&](int device, int parts) {
    return partition_study_time_of(device == 0 ? grid.first : grid.second, parts);
  };
  study.probed = probe_split(grid.parts, grid.join_ms, measured, study.probes);
  study.guided_ms = guided_chunks_ms(grid.parts,
                                     {[&](int parts) { return measured(0, parts); },
                                      [&](int parts) { return measured(1, parts); }},
                                     grid.join_ms);
  balance(grid, options, study);
  judge_splits(grid, study);
  return study;
}

}  // namespace opbench
