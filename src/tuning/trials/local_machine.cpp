#include "tuning/trials/local_machine.h"

#include "base/numbers/random.h"
#include "base/system/monotonic_clock.h"
#include "engines/package/build_worker.h"
#include "machine/ceilings/line_time.h"
#include "machine/target/device_type.h"
#include "tuning/trials/own_task.h"

namespace opbench {
namespace {

Tensor seeded(const TensorType& type, uint64_t seed, const std::string& name) {
  Tensor tensor = Tensor::empty(type);
  Random(seed, name).fill_uniform(tensor.as<float>(), -1.0F, 1.0F);
  return tensor;
}

/// The workload as a model: weights become constants.
std::shared_ptr<const Model> seeded_model(const Workload& workload, uint64_t seed) {
  auto model = std::make_shared<Model>();
  model->name = "trial";
  model->opset = workload.opset;
  model->graph = workload.graph;
  std::erase_if(model->graph.inputs,
                [&](const Value& value) { return workload.is_weight(value.name); });
  for (const std::string& name : workload.weights) {
    model->graph.constants[name] = seeded(workload.graph.types.at(name), seed, name);
  }
  return model;
}

Result<TrialCase> reference_case(const Workload& workload, std::shared_ptr<const Model> model,
                                 uint64_t seed) {
  TrialCase trial_case{.model = std::move(model)};
  std::vector<Tensor> operands;
  for (const Value& value : workload.graph.inputs) {
    if (workload.is_weight(value.name)) {
      operands.push_back(trial_case.model->graph.constants.at(value.name));
      continue;
    }
    operands.push_back(seeded(workload.graph.types.at(value.name), seed, value.name));
    trial_case.inputs.push_back(operands.back());
    trial_case.fresh_inputs.push_back(
        seeded(workload.graph.types.at(value.name), seed + 1, value.name));
  }
  OPBENCH_TRY(trial_case.expected, run_reference(workload, operands));
  return trial_case;
}

}  // namespace

LocalMachine::LocalMachine(LocalMachineOptions options)
    : options_(std::move(options)),
      runner_(options_.run),
      lines_(this_topology().value_or(Topology{}), options_.run.engine_options.cpus, line_time_ns),
      builder_(options_.build) {}

LocalMachine::~LocalMachine() = default;

void LocalMachine::begin(const TunableTask& task) {
  model_ = seeded_model(task.workload, options_.seed);
  // A device has caches of its own, which nothing here empties.
  is_on_device_ = device_type(task.task.target) != DeviceType::kCpu;
  has_cold_weights_ = !is_on_device_ && options_.cold_weights.value_or(is_own_task(task.task.name));
  case_ = std::async(std::launch::async, [&task, model = model_, seed = options_.seed] {
    return reference_case(task.workload, model, seed);
  });
}

size_t LocalMachine::width() const { return 2 * options_.build.cpus.size() + 2; }

void LocalMachine::start(uint64_t index, KernelSpec spec) {
  builder_.add({index, std::move(spec), model_});
}

Result<void> LocalMachine::take_case() {
  if (!case_.valid()) return {};
  OPBENCH_TRY(TrialCase trial_case, case_.get());
  trial_case.has_cold_weights = has_cold_weights_;
  trial_case.is_on_device = is_on_device_;
  return runner_.set_case(std::move(trial_case));
}

Result<MeasuredConfig> LocalMachine::finish(double best_s) {
  return measure(best_s, options_.measures_precisely);
}

Result<MeasuredConfig> LocalMachine::measure_afresh(uint64_t index, KernelSpec spec) {
  start(index, std::move(spec));
  return measure(0, true);
}

std::vector<std::string> LocalMachine::warnings() const {
  std::string apart = lines_.warning();
  if (apart.empty()) return {};
  return {std::move(apart)};
}

Outcome<std::vector<double>> LocalMachine::run(const BuiltTrial& built, double best_s,
                                               bool is_precise) {
  const Outcome<double> prepared = runner_.prepare(built.package, built.index);
  if (!prepared) return tl::make_unexpected(prepared.error());
  const TrialBuilder::Quiet quiet(builder_);
  lines_.look(Seconds(monotonic_s()));
  return is_precise ? runner_.measure_precisely() : runner_.measure(*prepared, best_s);
}

Result<MeasuredConfig> LocalMachine::measure(double best_s, bool is_precise) {
  OPBENCH_CHECK(take_case());
  std::optional<BuiltTrial> built = builder_.take();
  const Error interrupted{ErrorCode::kInterrupted, "interrupted while tuning"};
  if (!built) return interrupted;
  if (built->failure && built->failure->kind == FailureKind::kUnsupported) {
    return no_compiler(*built->failure);
  }
  if (is_precise) builder_.wait_until_built();  // a pause of that length would look like a hang
  const double begin = monotonic_s();
  MeasuredConfig measured{.index = built->index, .failure = std::move(built->failure)};
  if (!measured.failure) {
    auto costs = run(*built, best_s, is_precise);
    if (!costs && runner_.was_stopped()) costs = run(*built, best_s, is_precise);
    if (costs) {
      measured.costs_s = std::move(*costs);
    } else {
      measured.failure = costs.error();
    }
    runner_.release();
  }
  TrialBuilder::discard(*built);
  measured.spent_s = built->seconds + monotonic_s() - begin;
  const auto* cancel = options_.build.cancel;
  if (cancel != nullptr && *cancel) return interrupted;
  if (measured.failure && measured.failure->kind == FailureKind::kDeviceLost) {
    return Error{ErrorCode::kEnvironment, "kernels cannot be measured here"}.with(
        "reason", measured.failure->text);
  }
  return measured;
}

}  // namespace opbench
