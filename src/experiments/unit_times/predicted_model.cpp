#include "experiments/unit_times/predicted_model.h"

#include "experiments/sessions/model/model_source.h"
#include "machine/target/parse_target.h"
#include "model/passes/passes.h"
#include "model/passes/unknown_operators.h"

namespace opbench {

Result<PlannedModel> plan_model(const ProfileRequest& request) {
  PlannedModel planned{.is_workload = !request.model.workload.empty()};
  OPBENCH_TRY(RequestedModel model, load_outline(request.model, request.measure, request.hooks));
  OPBENCH_CHECK(check_inputs(request.model, model));
  planned.name = planned.is_workload ? request.model.workload : model.name;
  const auto opaque = set_aside_opaque(model);
  if (!opaque) return in_model(opaque.error(), request.model);
  for (const OpaqueNode& node : *opaque) ++planned.missing[operator_name(node.node)];
  const auto units = lower(model);
  if (!units) return in_model(units.error(), request.model);
  OPBENCH_TRY(const Target target, parse_target(request.settings.target));
  GivenLayouts given;
  auto block = request.model.layouts.begin();
  for (const auto* values : {&model.graph.inputs, &model.graph.outputs}) {
    for (const Value& value : *values) {
      if (block != request.model.layouts.end()) given[value.name] = *block++;
    }
  }
  OPBENCH_TRY(planned.steps,
              plan_layouts(model, *units, target, {}, given, {}, request.threads.front()));
  return planned;
}

ModelPrediction predict_planned(const PlannedModel& model, const UnitPredictor& predictor,
                                double level) {
  ModelPrediction prediction = predict_steps(model.steps, predictor, level);
  if (!model.is_workload) return prediction;
  prediction.total = {};
  prediction.parts.reset();
  for (const PredictedRow& row : prediction.units) {
    // What one call of `op` times is the unit; layouts around it are its model's.
    const auto count = static_cast<double>(row.count);
    if (row.identity.nodes.empty() && prediction.units.size() > 1) continue;
    prediction.total.median_s += row.time.isolated.median_s * count;
    prediction.total.low_s += row.time.isolated.low_s * count;
    prediction.total.high_s += row.time.isolated.high_s * count;
    prediction.total.is_assumed = prediction.total.is_assumed || row.time.isolated.is_assumed;
  }
  return prediction;
}

}  // namespace opbench
