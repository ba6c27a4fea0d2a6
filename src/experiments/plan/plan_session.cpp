#include "experiments/plan/plan_session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/compare/kernel_decision.h"
#include "experiments/plan/set_kernels.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/planned_teams.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/session.h"
#include "experiments/unit_times/handoff_cost.h"
#include "experiments/unit_times/model_units.h"
#include "experiments/unit_times/predicted_times.h"
#include "experiments/unit_times/unit_slowdowns.h"
#include "experiments/unit_times/unit_times.h"
#include "machine/facts/cpu_list.h"
#include "machine/facts/topology.h"
#include "planning/planners/optimum.h"
#include "planning/planners/planner.h"
#include "planning/plans/plan_check.h"
#include "planning/together/kept_set.h"

namespace opbench {
namespace {

std::string choices_text(const std::vector<KernelChoice>& kernels) {
  if (kernels.empty()) return "";
  Json choices = Json::array();
  for (const KernelChoice& kernel : kernels) choices.push_back(to_json(kernel));
  return json_text(choices);
}

class PlanSession {
 public:
  explicit PlanSession(const PlanRequest& request)
      : request_(request),
        profile_(profile_of(request.run, {package_engine().name}, team_sizes(request.workers))) {
    profile_.measure.measures_units = false;
  }

  Result<PlanResult> run() {
    OPBENCH_CHECK(find_planners());
    OPBENCH_TRY(const ProfileTimes given, given_times());
    OPBENCH_TRY(const UnitSlowdowns slowdowns, given_slowdowns());
    OPBENCH_TRY(profile_, with_decided_kernels(profile_, profile_.threads, result_.warnings));
    OPBENCH_CHECK(open([&](const Model& model) { return check_model(given, model); }));
    OPBENCH_CHECK(take_set_kernels());
    OPBENCH_TRY(const HandoffCost handoff,
                measured_handoff_cost(cpus_, session_->topology(), session_->cache()));
    result_.file.transfers = handoff.source;
    TimedGraph& timed = result_.file.timed;
    OPBENCH_TRY(timed.graph, graph_of_runs(session_->engine_runs()));
    OPBENCH_TRY(timed.costs, edge_costs_of(timed.graph, handoff));
    OPBENCH_CHECK(set_times(given));
    OPBENCH_TRY(const Program program, program_of(session_->engine_runs().front()));
    set_reuse(program, reuse_cost_of(cpus_.front()), timed);
    OPBENCH_CHECK(check_timed(timed));
    OPBENCH_CHECK(set_slowdowns(slowdowns));
    OPBENCH_CHECK(make_plans());
    find_optimum();
    describe();
    return std::move(result_);
  }

  /// What differs first: the model, before anything is built, then its kernels, then CPUs.
  Result<void> check(const PlanFile& plan, const std::string& what) {
    OPBENCH_TRY(const std::vector<KernelChoice> kernels, planned_kernels(plan, what));
    std::ranges::copy(kernels, std::back_inserter(profile_.settings.kernels));
    OPBENCH_CHECK(open([&](const Model& model) { return check_plan_of_model(plan, what, model); }));
    const bool has_units = plan.timed.size() == session_->engine_runs().front().built.units.size();
    if (!has_units || plan.kernels != kernels_sha256(session_->engine_runs())) {
      return invalid_input(
                 fmt::format("\"{}\" was planned for other kernels of {}", what, plan.model))
          .with("target there", plan.target)
          .with("target here", display_text(session_->target()))
          .with("to plan again", fmt::format("opbench plan {} --threads {} -o {}", plan.model,
                                             plan.plan.workers, what));
    }
    if (plan.cpus == cpus_) return {};
    return invalid_input(fmt::format("\"{}\" was planned for other CPUs", what))
        .with("CPUs there", cpu_list_text(plan.cpus))
        .with("CPUs here", cpu_list_text(cpus_));
  }

 private:
  /// Makes the session. `accept` looks at the model before anything is built.
  Result<void> open(std::function<Result<void>(const Model&)> accept) {
    // Before the session, which would refuse the first team that does not fit.
    OPBENCH_TRY(const Topology topology, this_topology());
    OPBENCH_TRY(cpus_, cpus_of(topology, profile_.settings, request_.workers));
    OPBENCH_TRY(session_,
                Session::make(profile_.model,
                              variants_of(profile_.engines, profile_.threads, profile_.settings),
                              profile_.measure, profile_.hooks, {.accept = std::move(accept)}));
    return {};
  }

  /// Packages tell which units can run side by side. Where kernels of sets take part, they are made
  /// again with these.
  Result<void> take_set_kernels() {
    const bool is_timed = !request_.profile_name.empty() || request_.predicts_times;
    if (request_.sets.empty() || is_timed) return {};
    const KeptSets kept = kept_sets(request_.sets, session_->target());
    for (const std::string& warning : kept.warnings) result_.warnings.push_back(warning);
    if (kept.sets.empty()) return {};
    OPBENCH_TRY(const UnitGraph graph, graph_of_runs(session_->engine_runs()));
    result_.set_kernels =
        set_kernels(kept.sets, graph, session_->engine_runs().front().built.units);
    if (result_.set_kernels.empty()) return {};
    std::ranges::copy(result_.set_kernels, std::back_inserter(profile_.settings.kernels));
    return open({});
  }

  Result<void> find_planners() {
    OPBENCH_TRY(const PlannerDef* sequential, planner_table().find(kSequentialPlanner));
    planners_ = {sequential};
    const auto& names = request_.planners;
    for (const std::string& name : names.empty() ? planner_table().names() : names) {
      OPBENCH_TRY(const PlannerDef* planner, planner_table().find(name));
      if (planner != sequential) planners_.push_back(planner);
    }
    return {};
  }

  /// Empty: they are measured.
  Result<ProfileTimes> given_times() {
    if (request_.predicts_times) {
      OPBENCH_TRY(PredictedTimes predicted, predicted_times(profile_, request_.predictors));
      result_.file.times = std::move(predicted.source);
      result_.warnings = std::move(predicted.warnings);
      return std::move(predicted.times);
    }
    if (request_.profile_name.empty()) return ProfileTimes{};
    result_.file.times = fmt::format("measured in the model, {}", request_.profile_name);
    return parse_profile_times(request_.profile_text, request_.profile_name);
  }

  Result<UnitSlowdowns> given_slowdowns() const {
    if (request_.slowdowns_name.empty()) return UnitSlowdowns{};
    return parse_unit_slowdowns(request_.slowdowns_text, request_.slowdowns_name);
  }

  Result<void> set_slowdowns(const UnitSlowdowns& given) {
    if (given.ratios.empty()) return {};
    const TimedGraph& timed = result_.file.timed;
    std::vector<std::string> workloads;
    for (const UnitIdentity& facts : facts_of(session_->engine_runs().front()))
      workloads.push_back(workload_text(facts));
    const size_t known = known_units(given, workloads);
    if (known == 0) {
      return invalid_input(fmt::format("\"{}\" has no unit of {}", request_.slowdowns_name,
                                       session_->model().name))
          .with("to make one", fmt::format("opbench interference {} --format json -o FILE",
                                           session_->model().name));
    }
    if (const std::string here = display_text(session_->target()); given.target != here) {
      result_.warnings.push_back(
          fmt::format("slow-downs are those of {}, kernels are for {}", given.target, here));
    }
    const PairSlowdown slowdown = slowdown_between(given, workloads);
    least_slowdowns_ = least_slowdowns(timed.graph, slowdown);
    result_.slowed = {
        ceiling_of(timed, request_.workers, least_slowdowns_),
        fmt::format("{}: {} of {} pairs measured, {} of {} units; the others count as {:.3f} ×",
                    request_.slowdowns_name, given.measured, given.ratios.size(), known,
                    timed.size(), given.typical)};
    simulation_.slowdown = [slowdown](int unit, const std::vector<int>& others) {
      double factor = 1;
      for (const int other : others) factor += std::max(0.0, slowdown(unit, other) - 1);
      return factor;
    };
    return {};
  }

  /// Refuses times of another model before anything is built.
  Result<void> check_model(const ProfileTimes& given, const Model& model) const {
    if (request_.profile_name.empty()) return {};
    if (given.sha256 != model.sha256) {
      return invalid_input(fmt::format("\"{}\" is a profile of {}, not of {}",
                                       request_.profile_name, given.model, model.name))
          .with("sha256 there", given.sha256)
          .with("sha256 here", model.sha256);
    }
    for (const int team : profile_.threads) {
      if (std::ranges::count(given.threads, team, &ThreadTimes::threads) > 0) continue;
      std::vector<std::string> has;
      for (const ThreadTimes& one : given.threads) has.push_back(std::to_string(one.threads));
      return invalid_input(fmt::format("\"{}\" has no times of {} thread{}", request_.profile_name,
                                       team, team == 1 ? "" : "s"))
          .with("it has", join(has))
          .with("to make one", fmt::format("opbench profile {} --threads {} --format json -o FILE",
                                           model.name, fmt::join(profile_.threads, ",")));
    }
    return {};
  }

  Result<void> set_times(const ProfileTimes& given) {
    ProfileTimes times = given;
    if (given.threads.empty()) {
      OPBENCH_TRY(const ProfileResult profile, run_profile_in(*session_, profile_));
      if (session_->is_cancelled()) {
        return Error{ErrorCode::kInterrupted, "interrupted while units were timed"};
      }
      for (const std::string& warning : profile.warnings) result_.warnings.push_back(warning);
      times = times_of(profile);
      result_.noise = profile.noise;
      result_.file.times = "measured in the model, run " + profile.run_id;
    }
    TeamTimes& table = result_.file.timed.times;
    table.teams.clear();
    table.units.resize(result_.file.timed.size());
    for (const EngineRun& engine_run : session_->engine_runs()) {
      table.teams.push_back(engine_run.asked.options.threads);
      const auto one =
          std::ranges::find(times.threads, engine_run.asked.options.threads, &ThreadTimes::threads);
      if (one == times.threads.end()) {
        return Error{ErrorCode::kPartial, fmt::format("the model was not timed on {} threads",
                                                      engine_run.asked.options.threads)};
      }
      OPBENCH_TRY(const std::vector<TimeWithError> units, times_of_units(*one, engine_run));
      for (size_t i = 0; i < units.size(); ++i) add_time(i, units[i]);
      warn_of_times(*one, units);
    }
    return {};
  }

  void add_time(size_t number, const TimeWithError& time) {
    UnitTimes& unit = result_.file.timed.times.units[number];
    unit.times_ms.push_back(time.ms);
    unit.spread = std::max(unit.spread, time.error_ms / time.ms);
  }

  void warn_of_times(const ThreadTimes& times, const std::vector<TimeWithError>& units) {
    constexpr double kMost = 0.1;
    const std::string on =
        fmt::format("on {} thread{} ", times.threads, times.threads == 1 ? "" : "s");
    if (!times.disturbance.empty()) result_.warnings.push_back(on + times.disturbance);
    double sum = 0;
    for (const TimeWithError& time : units) sum += time.ms;
    if (one_thread_ms_ == 0) one_thread_ms_ = sum;
    // Kernels that share no loop take the same time on any number of threads.
    if (sum > one_thread_ms_ * (1 + kMost)) {
      has_disturbed_times_ = has_disturbed_times_ || !times.disturbance.empty();
      result_.warnings.push_back(
          on +
          fmt::format("the units take {:.3f} ms, on 1 thread {:.3f} ms: measure again when the "
                      "machine is quiet, or the gain may not be there",
                      sum, one_thread_ms_));
    }
    if (times.end_to_end_ms == 0 || std::abs(sum / times.end_to_end_ms - 1) <= kMost) return;
    result_.warnings.push_back(on + fmt::format("the units sum up to {:.3f} ms and the model takes "
                                                "{:.3f} ms: the ceiling is that much off",
                                                sum, times.end_to_end_ms));
  }

  Result<void> make_plans() {
    const TimedGraph& timed = result_.file.timed;
    result_.ceiling = ceiling_of(timed, request_.workers);
    const TimedGraph slowed =
        result_.slowed ? slowed_graph(timed, request_.workers, least_slowdowns_) : timed;
    std::vector<ExecutionPlan> plans;
    for (const PlannerDef* planner : planners_) {
      if (session_->is_cancelled()) {
        return Error{ErrorCode::kInterrupted, "interrupted while plans were made"};
      }
      session_->report("plan", planner->name, session_->model().name,
                       static_cast<int64_t>(plans.size()), static_cast<int64_t>(planners_.size()));
      plans.push_back(planner->plan(slowed, {.workers = request_.workers}));
      OPBENCH_CHECK(check_plan(timed, plans.back()));
    }
    const PlanSelection selection =
        select_plan(timed, plans, {.seed = profile_.model.seed, .simulation = simulation_});
    for (size_t i = 0; i < plans.size(); ++i) {
      OPBENCH_TRY(Timeline timeline, simulate(timed, plans[i], simulation_));
      result_.candidates.push_back(
          {std::move(plans[i]), std::move(timeline), selection.speedups[i]});
    }
    result_.chosen = has_disturbed_times_ ? 0 : selection.chosen;
    if (!has_disturbed_times_) result_.promising = selection.promising;
    result_.file.reason = selection.reason;
    if (has_disturbed_times_ && selection.chosen > 0) {
      result_.file.reason =
          "sequential stays: the machine was disturbed, and more threads took longer than one; "
          "else " +
          selection.reason;
    }
    return {};
  }

  void find_optimum() {
    constexpr size_t kMostUnits = 12;
    constexpr size_t kMostStates = 100000;
    const bool has_reuse = std::ranges::any_of(
        result_.file.timed.times.units, [](const UnitTimes& unit) { return unit.reuse_ms > 0; });
    if (has_reuse) {
      result_.no_optimum_reason = "units reuse weights, which the search does not count";
      return;
    }
    double sum = 0;
    for (const auto& units : pieces_of(result_.file.timed.graph)) {
      const TimedGraph piece = subgraph_of(result_.file.timed, units);
      const auto best = units.size() > kMostUnits
                            ? std::nullopt
                            : optimum_ms(piece, request_.workers, kMostStates);
      if (!best) {
        result_.no_optimum_reason =
            fmt::format("a piece of {} units is too large to be searched", units.size());
        return;
      }
      sum += *best;
    }
    result_.optimum_ms = sum;
  }

  void describe() {
    PlanFile& file = result_.file;
    const PlanCandidate& chosen = result_.candidates[result_.chosen];
    file.model = session_->model().name;
    file.source = session_->model().source;
    file.sha256 = session_->model().sha256;
    file.target = display_text(session_->target());
    file.kernels = kernels_sha256(session_->engine_runs());
    file.choices = choices_text(result_.set_kernels);
    file.cpus = cpus_;
    file.predicted_ms = chosen.timeline.makespan_ms;
    file.sequential_ms = result_.candidates.front().timeline.makespan_ms;
    file.ceiling = result_.ceiling.h();
    file.ceiling_by_pieces = result_.ceiling.h_by_pieces();
    file.facts = facts_of(session_->engine_runs().front());
    file.plan = chosen.plan;
    for (const std::string& warning : session_->warnings()) result_.warnings.push_back(warning);
  }

  const PlanRequest& request_;
  ProfileRequest profile_;
  std::unique_ptr<Session> session_;
  std::vector<const PlannerDef*> planners_;
  std::vector<int> cpus_;
  std::vector<double> least_slowdowns_;  ///< by unit; empty: none are given
  SimulationOptions simulation_;
  bool has_disturbed_times_ = false;  ///< of teams, and longer than of one thread
  double one_thread_ms_ = 0;          ///< of all units; 0: not known yet
  PlanResult result_;
};

}  // namespace

Result<PlanResult> run_plan(const PlanRequest& request) { return PlanSession(request).run(); }

Result<TimedModel> time_units(const RunRequest& request, int workers,
                              const std::string& profile_name, const std::string& profile_text) {
  OPBENCH_TRY(PlanResult plan, run_plan({.run = request,
                                         .workers = workers,
                                         .profile_text = profile_text,
                                         .profile_name = profile_name,
                                         .planners = {kSequentialPlanner}}));
  return TimedModel{std::move(plan.file), std::move(plan.noise), std::move(plan.warnings)};
}

Result<void> check_plan_fits(const PlanRequest& request, const PlanFile& plan,
                             const std::string& what) {
  return PlanSession(request).check(plan, what);
}

}  // namespace opbench
