#include "experiments/plan/plan_trial.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <utility>

#include "engines/catalog/engine_choice.h"
#include "engines/protocol/tensor_files.h"
#include "engines/runtime/executor.h"
#include "experiments/compare/compare_request.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/session.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr int kInputSets = 3;
constexpr Seconds kRunLimit{60};

/// What a `run` wrote: the bytes of all outputs, in order.
Outcome<std::vector<Tensor>> outputs_of(EngineRunner& runner, const Json& params) {
  const Outcome<Json> reply = runner.call(0, 0, kModelPreparation, "run", params, kRunLimit);
  if (!reply) return tl::make_unexpected(reply.error());
  std::vector<Tensor> outputs;
  for (const Json& file : reply->value("outputs", Json::array())) {
    auto tensor = read_tensor(file);
    if (!tensor) {
      return tl::make_unexpected(Failure{FailureKind::kRunError, tensor.error().message});
    }
    outputs.push_back(std::move(*tensor));
  }
  return outputs;
}

/// Memory of an engine run's values; 0: it is not known.
int64_t value_bytes(const EngineRun& engine_run) {
  const auto& memory = engine_run.found.result.model.memory;
  return memory ? memory->value_bytes : 0;
}

class PlanTrialRun {
 public:
  PlanTrialRun(const RunRequest& run, const PlanFile& plan) {
    sequential_ = profile_of(run, {package_engine().name}, {plan.plan.workers});
    sequential_.settings.executor = kDefaultExecutor;
    sequential_.measure.measures_units = false;
    concurrent_ = sequential_;
    concurrent_.settings.executor = planned_executor();
    concurrent_.settings.plan = {
        .file = "the plan", .sha256 = {}, .value = std::make_shared<const PlanFile>(plan)};
  }

  Result<PlanTrial> run() {
    const Result<void> measured = measure();
    if (!measured && trial_.refusal.empty()) return Error(measured.error());
    return std::move(trial_);
  }

 private:
  /// Both ways to run the package of the plan, on inputs of several seeds. A refusal is an error.
  Result<void> check_outputs(Session& session) {
    const EngineRun& without = session.engine_runs().front();
    const EngineRun& planned = session.engine_runs().back();
    trial_.sequential_bytes = value_bytes(without);
    trial_.plan_bytes = value_bytes(planned);
    EngineRunner runner({planned.built.setup});
    for (int set = 0; set < kInputSets; ++set) {
      session.report("check", concurrent_.settings.executor, fmt::format("inputs {}", set + 1), set,
                     kInputSets);
      OPBENCH_TRY(const Json inputs, inputs_of(set, session));
      const fs::path place = session.folder() / fmt::format("outputs-{}", set);
      const auto in_order = outputs_of(
          runner,
          {{"inputs", inputs}, {"outputs_dir", (place / "in-order").string()}, {"in_order", true}});
      const auto together =
          outputs_of(runner, {{"inputs", inputs}, {"outputs_dir", (place / "together").string()}});
      if (!in_order || !together) {
        trial_.refusal = "it failed: " + to_text((in_order ? together : in_order).error());
      } else if (*in_order != *together) {
        trial_.refusal = fmt::format(
            "outputs side by side are not those of the same kernels in order (inputs {})", set + 1);
      }
      if (!trial_.refusal.empty()) return Error{ErrorCode::kPartial, trial_.refusal};
    }
    return {};
  }

  /// In the order of the model's inputs.
  static Result<Json> inputs_of(int set, const Session& session) {
    ModelSpec spec = session.spec();
    spec.seed += static_cast<uint64_t>(set);
    OPBENCH_TRY(const NamedTensors inputs, input_tensors(spec, session.model()));
    return write_tensors(session.folder() / fmt::format("inputs-{}", set), inputs);
  }

  Result<void> measure() {
    CompareRequest request;
    request.sides = {variant_of(sequential_), variant_of(concurrent_)};
    request.scope.has_units = false;
    request.budget_s = concurrent_.measure.budget_s;
    request.seed = concurrent_.model.seed;
    request.hooks.progress = concurrent_.hooks.progress;
    request.hooks.cancel = concurrent_.hooks.cancel;
    request.prepared = [this](Session& session, const std::vector<size_t>&) {
      return check_outputs(session);
    };
    OPBENCH_TRY(const CompareResult result, run_compare(request));
    trial_.warnings = result.warnings;
    const CompareUnit& model = result.comparisons.front().model;
    if (!model.verdict || !model.ratio || !model.base) {
      trial_.no_verdict_reason = model.reason;
      return {};
    }
    trial_.measured = MeasuredSpeedup{.speedup = 1 / model.ratio->median,
                                      .low = 1 / model.ratio->high,
                                      .high = 1 / model.ratio->low,
                                      .sequential_ms = model.base->median_ms,
                                      .verdict = std::string(name_of(*model.verdict)),
                                      .reason = model.reason};
    return {};
  }

  ProfileRequest concurrent_, sequential_;
  PlanTrial trial_;
};

}  // namespace

Result<PlanTrial> try_plan(const RunRequest& run, const PlanFile& plan) {
  return PlanTrialRun(run, plan).run();
}

}  // namespace opbench
