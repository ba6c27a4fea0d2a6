#include "prediction/predict/model_prediction.h"

#include <algorithm>
#include <functional>
#include <map>

#include "model/operators/workloads/operand_places.h"
#include "prediction/predict/kernel_identity.h"
#include "prediction/predict/planned_units.h"

namespace opbench {
namespace {

std::vector<std::string> weights_of(const PlannedStep& step) {
  std::vector<std::string> weights;
  for (const size_t place : operands_of(step.workload(), true)) {
    weights.push_back(step.values.operands[place]);
  }
  return weights;
}

double total_s(const PredictedRow& row) {
  return row.time.in_model.median_s * static_cast<double>(row.count);
}

}  // namespace

CountedUnit counted(const PlannedUnit& unit) {
  return {.features = &unit.features,
          .count = unit.count,
          .weight_sets = static_cast<int64_t>(unit.weights.size())};
}

std::vector<PlannedUnit> planned_units(const std::vector<PlannedStep>& steps,
                                       const Ceilings& ceilings) {
  std::vector<PlannedUnit> units;
  std::map<std::string, size_t> places;
  for (const PlannedStep& step : steps) {
    const KernelSpec kernel = step.kernel();
    const std::string identity = kernel_identity(kernel);
    const auto [place, is_new] = places.emplace(identity, units.size());
    if (is_new) {
      units.push_back({.step = &step, .identity = identity});
      units.back().features = unit_features(kernel, ceilings);
    }
    PlannedUnit& unit = units[place->second];
    ++unit.count;
    unit.weights.insert(weights_of(step));
    unit.nodes.insert(unit.nodes.end(), step.identity.nodes.begin(), step.identity.nodes.end());
  }
  return units;
}

PredictedRow row_of(const PlannedUnit& unit) {
  PredictedRow row{.identity = unit.step->identity,
                   .config = unit.step->config,
                   .count = unit.count,
                   .time = {}};
  row.identity.nodes = unit.nodes;
  return row;
}

ModelPrediction predict_steps(const std::vector<PlannedStep>& steps, const UnitPredictor& predictor,
                              double level) {
  const std::vector<PlannedUnit> planned = planned_units(steps, predictor.ceilings);
  std::vector<CountedUnit> units;
  for (const PlannedUnit& unit : planned) units.push_back(counted(unit));
  const ModelContext context = context_of(units, predictor.ceilings, predictor.threads);
  ModelPrediction prediction;
  double sum_s = 0;
  for (const PlannedUnit& unit : planned) {
    PredictedRow row = row_of(unit);
    row.time = predict_unit(predictor, unit.features, context, level);
    sum_s += total_s(row);
    if (!row.time.is_in_range) prediction.out_of_range += row.count;
    prediction.units.push_back(std::move(row));
  }
  const ModelCard& card = predictor.models;
  prediction.parts = TotalParts{.sum_s = sum_s,
                                .dispatch_s = card.dispatch_s * static_cast<double>(steps.size()),
                                .factor = card.bias,
                                .call_overhead_s = card.call_overhead_s};
  prediction.total = predict_model(predictor, sum_s, static_cast<int64_t>(steps.size()), level);
  sort_by_time(prediction);
  return prediction;
}

void sort_by_time(ModelPrediction& prediction) {
  std::ranges::stable_sort(prediction.units, std::greater<>(), total_s);
}

}  // namespace opbench
