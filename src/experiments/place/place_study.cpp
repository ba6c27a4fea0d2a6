#include "experiments/place/place_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "experiments/devices/place_verdict.h"
#include "planning/place/placement_methods.h"
#include "planning/place/state_search.h"

namespace opbench {
namespace {

constexpr const char* kFrugal = "frugal";
constexpr size_t kMostStates = 3000;
constexpr size_t kMostStatesOfFlips = 600;  // ten searches

int moved_units(const Placement& a, const Placement& b) {
  int count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

class Study {
 public:
  Study(const PlaceGraph& graph, const EnergyConstants& constants, const PlaceStudyOptions& options)
      : graph_(graph), constants_(constants), options_(options) {}

  Result<PlaceStudy> run() {
    OPBENCH_TRY(study_.powers, powers_of(constants_, graph_));
    OPBENCH_TRY(study_.problem, problem_of(graph_, study_.powers, constants_.transfer_pj_per_byte));
    OPBENCH_CHECK(check_problem(study_.problem));
    study_.floor = place_floor(graph_);
    study_.bound_ms = placement_bound_ms(study_.problem);
    add_simple();
    if (!options_.shares.empty()) OPBENCH_CHECK(add_shares());
    add_equilibrium();
    add_optimum();
    add_frugal();
    add_intervals();
    if (study_.is_limit_met) OPBENCH_CHECK(find_flips());
    return std::move(study_);
  }

 private:
  void add(std::string method, Placement placement) {
    study_.candidates.push_back(
        {std::move(method), front_point(study_.problem, std::move(placement))});
  }

  void add_simple() {
    const PlacementProblem& problem = study_.problem;
    for (size_t device = 0; device < graph_.devices.size(); ++device) {
      add("all on " + graph_.devices[device].name,
          Placement(problem.size(), static_cast<int>(device)));
    }
    add("own-fastest", own_fastest(problem));
    add("greedy", greedy_placement(problem));
    add("heft", heft_placement(problem));
  }

  Result<void> add_shares() {
    OPBENCH_TRY(const ShareLimits limits,
                limits_of(study_.problem, options_.shares, options_.fixed));
    add(kAtLeast, share_placement(study_.problem, limits));
    return {};
  }

  /// From starts that exclude greedy and HEFT, so that it stands beside them. One device alone is a
  /// start: across a slow link no single unit gains by moving back.
  void add_equilibrium() {
    constexpr size_t kFewUnits = 40;  // all pairs of units are tried, from every start
    constexpr size_t kManyUnits = 150;
    if (study_.problem.size() > kManyUnits) return;
    const int starts = study_.problem.size() > kFewUnits ? 1 : 8;
    EquilibriumOptions options{.random_starts = starts, .seed = options_.seed};
    for (size_t device = 0; device < graph_.devices.size(); ++device) {
      options.more_starts.emplace_back(study_.problem.size(), static_cast<int>(device));
    }
    const Equilibrium found = find_equilibrium(study_.problem, {}, options);
    add("equilibrium", found.placement);
  }

  void add_optimum() {
    double shortest = study_.candidates.front().point.makespan_ms;
    for (const PlaceCandidate& one : study_.candidates) {
      shortest = std::min(shortest, one.point.makespan_ms);
    }
    constexpr double kRounding = 1e-9;
    constexpr size_t kMostStatesOfTime = 20000;
    const StateSearchResult found = search_states(
        study_.problem,
        {.most_ms = shortest * (1 + kRounding) + kRounding, .most_states = kMostStatesOfTime});
    const bool is_found = !found.front.points().empty();
    if (is_found && found.is_complete) {
      study_.optimum_ms = found.front.points().front().makespan_ms;
      study_.candidates.push_back({"optimum", found.front.points().front()});
      return;
    }
    study_.no_optimum_reason =
        fmt::format("more than {} states to search after a unit: distances are to the bound",
                    kMostStatesOfTime);
    if (is_found) shortest = std::min(shortest, found.front.points().front().makespan_ms);
    study_.bound_ms = std::max(study_.bound_ms, std::min(shortest, found.dropped_bound));
    if (is_found) study_.candidates.push_back({"search", found.front.points().front()});
  }

  double fastest_alone_ms() const {
    double fastest = study_.candidates.front().point.makespan_ms;
    for (size_t i = 0; i < graph_.devices.size(); ++i) {
      fastest = std::min(fastest, study_.candidates[i].point.makespan_ms);
    }
    return fastest;
  }

  std::vector<Placement> placements() const {
    std::vector<Placement> all;
    for (const PlaceCandidate& one : study_.candidates) all.push_back(one.point.placement);
    return all;
  }

  void add_frugal() {
    study_.front = find_energy_front(study_.problem, placements());
    study_.is_limit_given = options_.within_ms.has_value();
    study_.limit_ms = options_.within_ms.value_or(fastest_alone_ms());
    const LeastEnergy found =
        find_least_energy(study_.problem, study_.limit_ms, study_.front.front, kMostStates);
    study_.is_limit_met = found.point.has_value();
    study_.is_frugal_optimal = found.is_optimal;
    if (!found.point) return;
    study_.energy_bound_mj = found.bound_mj;
    study_.front.front.add(*found.point);
    study_.candidates.push_back({kFrugal, *found.point});
  }

  /// Times drawn with their errors, the same for all placements.
  void add_intervals() {
    constexpr int kDraws = 400;
    constexpr double kTail = 0.025;
    const std::vector<int> order = rank_order(study_.problem);
    std::vector<std::vector<double>> ratios(study_.candidates.size());
    Random random(options_.seed, "times of units");
    for (int draw = 0; draw < kDraws; ++draw) {
      const PlacementProblem drawn = drawn_problem(random);
      std::vector<double> makespans;
      for (const PlaceCandidate& one : study_.candidates) {
        makespans.push_back(cost_of(drawn, order, one.point.placement).makespan_ms);
      }
      const auto alone = static_cast<std::ptrdiff_t>(graph_.devices.size());
      const double fastest = *std::min_element(makespans.begin(), makespans.begin() + alone);
      for (size_t i = 0; i < ratios.size(); ++i) ratios[i].push_back(fastest / makespans[i]);
    }
    for (size_t i = 0; i < ratios.size(); ++i) {
      PlaceCandidate& one = study_.candidates[i];
      std::ranges::sort(ratios[i]);
      const auto low = static_cast<size_t>(kTail * kDraws);
      one.speedup = fastest_alone_ms() / one.point.makespan_ms;
      one.low = ratios[i][low];
      one.high = ratios[i][ratios[i].size() - 1 - low];
      one.verdict =
          place_verdict(one.low, one.high, study_.floor.floor, !graph_.disturbance.empty());
    }
  }

  PlacementProblem drawn_problem(Random& random) const {
    constexpr double kLeastShare = 0.05;  // a time stays above 0
    PlacementProblem drawn = study_.problem;
    std::vector<double> factors;  // what a device's times have in common
    for (const PlaceDevice& device : graph_.devices) {
      factors.push_back(std::exp(device.common_error * double{random.normal()}));
    }
    for (size_t i = 0; i < drawn.size(); ++i) {
      for (size_t d = 0; d < drawn.devices.size(); ++d) {
        double& time = drawn.times_ms[i][d];
        const double error = error_ms(i, d) * double{random.normal()};
        time = factors[d] * std::max(kLeastShare * time, time + error);
      }
    }
    return drawn;
  }

  /// Of a unit's time on a device: at least what the control shows of devices of this machine.
  double error_ms(size_t unit, size_t device) const {
    const bool is_table = graph_.devices[device].cpus.empty();
    const double chance = is_table ? 0 : study_.floor.unit_error * graph_.times_ms[unit][device];
    return std::max(graph_.errors_ms[unit][device], chance);
  }

  Result<void> find_flips() {
    constexpr double kLess = 0.5;
    constexpr double kMore = 1.5;
    EnergyConstants changed = constants_;
    for (const EnergyConstant& constant : constants_in(changed)) {
      if (!is_used(constant.name)) continue;
      for (const double factor : {kLess, kMore}) {
        const double before = *constant.value;
        *constant.value *= factor;
        OPBENCH_TRY(const std::vector<DevicePower> powers, powers_of(changed, graph_));
        study_.flips.push_back(flip_of(powers, changed.transfer_pj_per_byte));
        study_.flips.back().constant = constant.name;
        study_.flips.back().factor = factor;
        *constant.value = before;
      }
    }
    return {};
  }

  /// Whether a device takes this constant, or a transfer.
  bool is_used(const std::string& name) const {
    EnergyConstants changed = constants_;
    for (const EnergyConstant& constant : constants_in(changed)) {
      if (constant.name == name) *constant.value = *constant.value * 2 + 1;
    }
    return changed.transfer_pj_per_byte != constants_.transfer_pj_per_byte ||
           powers_of(changed, graph_).value() != study_.powers;
  }

  EnergyFlip flip_of(const std::vector<DevicePower>& powers, double pj_per_byte) const {
    const bool is_possible = std::ranges::all_of(
        powers, [](const DevicePower& power) { return power.busy_w >= power.idle_w; });
    if (!is_possible) return {.is_possible = false};
    const PlacementProblem problem = problem_of(graph_, powers, pj_per_byte).value();
    const Placement& old = study_.candidates.back().point.placement;
    PlacementFront known;
    for (Placement& placement : placements()) {
      known.add(front_point(problem, std::move(placement)));
    }
    for (const FrontPoint& point : study_.front.front.points()) {
      known.add(front_point(problem, point.placement));
    }
    const auto decision =
        find_least_energy(problem, study_.limit_ms, known, kMostStatesOfFlips).point;
    const FrontPoint kept = front_point(problem, old);
    EnergyFlip flip{.kept_mj = kept.energy_mj, .new_mj = kept.energy_mj};
    constexpr double kLeastGain = 0.01;  // of the energy: less is no other decision
    if (!decision || decision->energy_mj >= kept.energy_mj * (1 - kLeastGain)) return flip;
    flip.new_mj = decision->energy_mj;
    flip.moved_units = moved_units(decision->placement, old);
    return flip;
  }

  const PlaceGraph& graph_;
  const EnergyConstants& constants_;
  const PlaceStudyOptions& options_;
  PlaceStudy study_;
};

}  // namespace

Result<PlaceStudy> study_places(const PlaceGraph& graph, const EnergyConstants& constants,
                                const PlaceStudyOptions& options) {
  return Study(graph, constants, options).run();
}

}  // namespace opbench
