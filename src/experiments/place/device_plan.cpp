#include "experiments/place/device_plan.h"

#include <algorithm>
#include <utility>

#include "engines/runtime/program.h"
#include "experiments/unit_times/model_units.h"
#include "model/operators/workloads/unit_identity.h"
#include "planning/graphs/timed_graph.h"
#include "planning/plans/plan_check.h"

namespace opbench {
namespace {

constexpr double kNothingMs = 1e-6;  ///< plans have times above 0

/// The value that a step makes.
const Slot& made_by(const Program& program, const Step& step) {
  return program.slots[static_cast<size_t>(step.results.front())];
}

class DevicePlanMaker {
 public:
  DevicePlanMaker(const PlaceRunners& runners, const PlaceGraph& graph, const Placement& placement,
                  const PlacedModel& model, const DevicePlanTimes& times)
      : runners_(runners),
        graph_(graph),
        placement_(placement),
        model_(model),
        program_(model.program),
        times_(times) {
    for (const PreparedUnit& unit : runners.alone[runners.pair.host]->engine_run().built.units) {
      if (unit.identity.is_layout_change()) {
        own_layouts_.emplace_back(unit.values.output, unit.identity.blocks);
      }
    }
  }

  Result<DevicePlan> make() {
    for (size_t i = 0; i < program_.steps.size(); ++i) add_step(i);
    describe();
    OPBENCH_CHECK(check_plan(plan_.file.timed, plan_.file.plan));
    OPBENCH_TRY(plan_.timeline, simulate(plan_.file.timed, plan_.file.plan));
    plan_.file.predicted_ms = plan_.timeline.makespan_ms;
    return std::move(plan_);
  }

 private:
  void add_step(size_t number) {
    const Step& step = program_.steps[number];
    GraphUnit unit{.name = made_by(program_, step).name,
                   .kind = model_.facts[number].operator_text};
    for (const int need : step.needs) {
      unit.needs.push_back({need, carried_bytes(program_, need, static_cast<int>(number))});
    }
    plan_.file.timed.add(std::move(unit),
                         {.times_ms = {std::max(kNothingMs, predicted_ms(number))}});
  }

  double predicted_ms(size_t number) const {
    const Step& step = program_.steps[number];
    const Slot& made = made_by(program_, step);
    const UnitIdentity& facts = model_.facts[number];
    if (step.copy != StepCopy::kNone) {
      return copy_ms(times_.costs, step.copy == StepCopy::kToDevice, made.bytes);
    }
    if (facts.is_layout_change()) {
      const bool is_own = std::ranges::count(own_layouts_, std::pair(made.name, facts.blocks)) > 0;
      return is_own ? 0 : copy_ms(times_.costs.layout, made.bytes);
    }
    const auto& units = graph_.graph.units;
    const auto found = std::ranges::find(units, made.name, &GraphUnit::name);
    if (found == units.end()) return 0;  // made in place on both devices
    const auto unit = static_cast<size_t>(found - units.begin());
    return times_.units_ms[unit][static_cast<size_t>(placement_[unit])];
  }

  void describe() {
    const PlaceDevice& host = graph_.devices[runners_.pair.host];
    const PlaceDevice& device = graph_.devices[runners_.pair.device];
    PlanFile& file = plan_.file;
    plan_.costs = times_.costs;
    file.model = graph_.model;
    file.sha256 = graph_.sha256;
    file.target = device.target;
    file.kernels = kernels_sha256(model_.session->engine_runs());
    file.cpus = {host.cpus.front(), device.cpus.front()};
    file.devices = {host.name, device.name};
    file.times = "measured in the model, each device alone, in turns with the plan";
    file.transfers = graph_.transfer.source;
    file.facts = model_.facts;
    file.plan.workers = program_.teams.workers;
    for (const TeamStep& step : program_.teams.steps) {
      file.plan.steps.push_back(
          {.units = {step.step}, .workers = step.workers, .waits = step.waits});
    }
    file.sequential_ms = fastest_alone_ms();
    file.ceiling = file.ceiling_by_pieces = file.sequential_ms / least_bound_ms();
  }

  double fastest_alone_ms() const {
    std::vector<double> sums(graph_.devices.size(), 0);
    for (const std::vector<double>& unit : times_.units_ms) {
      for (size_t d = 0; d < sums.size(); ++d) sums[d] += unit[d];
    }
    return *std::ranges::min_element(sums);
  }

  /// No placement ends before all units on their fastest devices, shared by two workers.
  double least_bound_ms() const {
    double sum = 0;
    for (const std::vector<double>& unit : times_.units_ms) sum += *std::ranges::min_element(unit);
    return sum / 2;
  }

  const PlaceRunners& runners_;
  const PlaceGraph& graph_;
  const Placement& placement_;
  const PlacedModel& model_;
  const Program& program_;
  const DevicePlanTimes& times_;
  std::vector<std::pair<std::string, std::vector<int>>>
      own_layouts_;  ///< that the host makes alone
  DevicePlan plan_;
};

}  // namespace

Result<DevicePlan> device_plan(const PlaceRunners& runners, const PlaceGraph& graph,
                               const Placement& placement, const PlacedModel& model,
                               const DevicePlanTimes& times) {
  return DevicePlanMaker(runners, graph, placement, model, times).make();
}

}  // namespace opbench
