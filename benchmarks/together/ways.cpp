#include "benchmarks/together/ways.h"

#include <algorithm>
#include <utility>

#include "base/system/seconds.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/unit_times/model_units.h"
#include "machine/ceilings/line_time.h"
#include "machine/target/parse_target.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr int kTimedRuns = 21;
constexpr uint64_t kInputSets = 3;

Error failed() { return {ErrorCode::kSystem, "a kernel failed"}; }

std::vector<Tensor> outputs_of(const LoadedPackage& package) {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < package.program().outputs.size(); ++i)
    outputs.push_back(package.output(i));
  return outputs;
}

TeamProgram team_program_of(const ExecutionPlan& plan) {
  TeamProgram teams{.workers = plan.workers, .steps = {}};
  for (const PlanStep& step : plan.steps) {
    teams.steps.push_back(
        {.step = step.units.front(), .workers = step.workers, .waits = step.waits});
  }
  return teams;
}

}  // namespace

Result<void> ModelWays::open(const std::filesystem::path& folder) {
  folder_ = folder;
  request_.model.name = model_;
  request_.model.is_zoo = true;
  OPBENCH_TRY(RequestedModel model, load_model(request_.model, request_.measure, request_.hooks));
  requested_ = std::make_unique<RequestedModel>(std::move(model));
  OPBENCH_TRY(alone_, load("alone", 1, {}));
  OPBENCH_TRY(together_, load("together", static_cast<int>(cpus_.size()), {}));
  pool_ = std::make_unique<ConditionPool>(cpus_);
  context_ = std::make_unique<KernelContext>(KernelContext{pool_.get()});
  return set_inputs(request_.model.seed);
}

Result<LoadedWay> ModelWays::load(const std::string& name, int threads, const TeamProgram& teams) {
  EngineOptions options;
  options.threads = threads;
  options.folder = folder_ / name;
  options.executor = teams.steps.empty() ? kDefaultExecutor : "concurrent";
  options.teams = teams;
  OPBENCH_TRY(options.target, parse_target(request_.settings.target));
  std::filesystem::create_directories(options.folder);
  OPBENCH_TRY(const PreparedModel prepared, package_engine().prepare_model(*requested_, options));
  LoadedWay way;
  OPBENCH_TRY(way.package, LoadedPackage::load(prepared.path, {.threads = threads, .cpus = cpus_}));
  OPBENCH_TRY(const ExecutorDef* executor, executor_table().find(options.executor));
  OPBENCH_TRY(way.executor, executor->make(*way.package));
  return way;
}

Result<void> ModelWays::set_inputs(uint64_t seed) {
  ProfileRequest request = request_;
  request.model.seed = seed;
  OPBENCH_TRY(const auto inputs, input_tensors(request.model, *requested_));
  for (const LoadedWay* way : {&alone_, &together_, &planned_}) {
    for (size_t i = 0; way->package != nullptr && i < inputs.size(); ++i) {
      OPBENCH_CHECK(way->package->set_input(i, inputs[i].second));
    }
  }
  return {};
}

Result<TimedGraph> ModelWays::graph() {
  const Program& program = together_.package->program();
  const std::optional<double> line_ns = line_time_ns(cpus_[0], cpus_[1]);
  const EdgeCost handoff{.handoff_ms = ns_to_ms(2 * line_ns.value_or(0))};
  TimedGraph timed{.times = {.teams = {1, static_cast<int>(cpus_.size())}}};
  std::vector<std::vector<double>> samples(program.steps.size());
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    GraphUnit unit{.name = program.slots[static_cast<size_t>(step.results.front())].name};
    unit.kind = step.workload.substr(0, step.workload.find(' '));
    for (const int need : step.needs)
      unit.needs.push_back({need, carried_bytes(program, need, static_cast<int>(i))});
    std::vector<EdgeCost> costs(unit.needs.size(), handoff);
    timed.add(std::move(unit), {}, std::move(costs));
  }
  for (LoadedWay* way : {&alone_, &together_}) {
    for (auto& times : samples) times.clear();
    std::vector<double> step_s(samples.size());
    for (int run = 0; run < kTimedRuns; ++run) {
      if (way->executor->run_timed(step_s) != 0) return failed();
      for (size_t i = 0; i < step_s.size(); ++i) samples[i].push_back(s_to_ms(step_s[i]));
    }
    for (size_t i = 0; i < samples.size(); ++i) {
      timed.times.units[i].times_ms.push_back(median(samples[i]));
    }
  }
  OPBENCH_TRY(const std::vector<bool> has_loop, steps_with_loops());
  for (size_t i = 0; i < timed.size(); ++i) {
    const bool is_same = alone_.package->program().steps[i].symbol == program.steps[i].symbol;
    std::vector<double>& times = timed.times.units[i].times_ms;
    if (is_same && !has_loop[i]) times[0] = times[1] = std::min(times[0], times[1]);
  }
  set_reuse(program, reuse_cost_of(cpus_[0]), timed);
  return timed;
}

/// By a run of each step on the pool with a condition variable.
Result<std::vector<bool>> ModelWays::steps_with_loops() {
  std::vector<bool> found;
  for (const Step& step : together_.package->program().steps) {
    OPBENCH_TRY(BoundStep bound, together_.package->bind(step, *context_));
    const uint64_t before = pool_->shared_loops();
    if (bound.run() != 0) return failed();
    found.push_back(pool_->shared_loops() != before);
  }
  return found;
}

Result<void> ModelWays::add_plan(const ExecutionPlan& plan) {
  OPBENCH_TRY(planned_, load("planned", static_cast<int>(cpus_.size()), team_program_of(plan)));
  OPBENCH_TRY(reference_, make_sequential_executor(*planned_.package));
  const bool is_same =
      std::ranges::equal(planned_.package->program().steps, together_.package->program().steps, {},
                         &Step::symbol, &Step::symbol);
  OPBENCH_TRY(in_order_, in_order(*(is_same ? planned_ : together_).package));
  return set_inputs(request_.model.seed);
}

Result<InOrder> ModelWays::in_order(LoadedPackage& package) {
  InOrder made{.package = &package};
  OPBENCH_TRY(made.spinning, make_sequential_executor(package));
  for (const Step& step : package.program().steps) {
    OPBENCH_TRY(BoundStep bound, package.bind(step, *context_));
    made.on_condition_pool.push_back(std::move(bound));
  }
  return made;
}

int ModelWays::run_all(std::vector<BoundStep>& steps) {
  int failure = 0;
  for (BoundStep& step : steps) {
    const int code = step.run();
    if (failure == 0) failure = code;
  }
  return failure;
}

Result<bool> ModelWays::are_outputs_right() {
  for (uint64_t seed = 0; seed < kInputSets; ++seed) {
    OPBENCH_CHECK(set_inputs(seed));
    if (reference_->run() != 0) return failed();
    const std::vector<Tensor> reference = outputs_of(*planned_.package);
    if (run_plan() != 0) return failed();
    if (outputs_of(*planned_.package) != reference) return false;
    if (run_spinning() != 0) return failed();
    const std::vector<Tensor> spinning = outputs_of(*in_order_.package);
    if (run_on_condition_pool() != 0) return failed();
    if (outputs_of(*in_order_.package) != spinning) return false;
  }
  return true;
}

}  // namespace opbench
