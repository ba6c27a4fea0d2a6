#include "experiments/plan/plan_trial.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "engines/catalog/engine_choice.h"
#include "engines/protocol/tensor_files.h"
#include "engines/runtime/executor.h"
#include "experiments/compare/compare_request.h"
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

class PlanTrialRun {
 public:
  PlanTrialRun(const ProfileRequest& request, const PlanFile& plan) : plan_(plan) {
    concurrent_ = request;
    concurrent_.engines = {package_engine().name};
    concurrent_.threads = {plan.plan.workers};
    concurrent_.settings.executor = planned_executor();
    concurrent_.measure.measures_units = false;
    sequential_ = concurrent_;
    sequential_.settings.executor = kDefaultExecutor;
  }

  Result<PlanTrial> run() {
    OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
    concurrent_.settings.plan.file = (folder.path() / "plan.json").string();
    const std::string text = json_text(to_json(plan_)) + "\n";
    OPBENCH_CHECK(write_file(concurrent_.settings.plan.file, text));
    concurrent_.settings.plan.sha256 = sha256(text);
    OPBENCH_CHECK(check_outputs(folder.path()));
    if (!trial_.refusal.empty()) return std::move(trial_);
    OPBENCH_CHECK(measure());
    return std::move(trial_);
  }

 private:
  /// Makes the package; `bytes`: of its values.
  Result<void> prepare(Session& session, int64_t& bytes) const {
    OPBENCH_CHECK(session.open(concurrent_.engines));
    OPBENCH_TRY(const std::vector<int> cpus, session.cpus_of(plan_.plan.workers));
    OPBENCH_CHECK(session.add_lane(concurrent_.engines.front(), cpus));
    const auto& memory = session.lanes().front().result.model.memory;
    bytes = memory ? memory->value_bytes : 0;
    return {};
  }

  /// Both ways to run the package of the plan, on inputs of several seeds.
  Result<void> check_outputs(const fs::path& folder) {
    Session without(sequential_);
    OPBENCH_CHECK(prepare(without, trial_.sequential_bytes));
    Session session(concurrent_);
    OPBENCH_CHECK(prepare(session, trial_.plan_bytes));
    EngineRunner runner({session.lanes().front().setup});
    for (int set = 0; set < kInputSets; ++set) {
      session.report("check", concurrent_.settings.executor, fmt::format("inputs {}", set + 1), set,
                     kInputSets);
      OPBENCH_TRY(const Json inputs, inputs_of(set, folder));
      const fs::path place = folder / fmt::format("outputs-{}", set);
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
      if (!trial_.refusal.empty()) return {};
    }
    return {};
  }

  /// In the order of the model's inputs.
  Result<Json> inputs_of(int set, const fs::path& folder) const {
    ProfileRequest request = concurrent_;
    request.model.seed += static_cast<uint64_t>(set);
    OPBENCH_TRY(const RequestedModel model, load_outline(request));
    OPBENCH_TRY(const NamedTensors inputs, input_tensors(request, model));
    return write_tensors(folder / fmt::format("inputs-{}", set), inputs);
  }

  Result<void> measure() {
    CompareRequest request;
    request.sides = {{.profile = sequential_, .build = {}}, {.profile = concurrent_, .build = {}}};
    request.has_units = false;
    request.budget_s = concurrent_.measure.budget_s;
    request.seed = concurrent_.model.seed;
    request.progress = concurrent_.hooks.progress;
    request.cancel = concurrent_.hooks.cancel;
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

  const PlanFile& plan_;
  ProfileRequest concurrent_, sequential_;
  PlanTrial trial_;
};

}  // namespace

Result<PlanTrial> try_plan(const ProfileRequest& request, const PlanFile& plan) {
  return PlanTrialRun(request, plan).run();
}

}  // namespace opbench
