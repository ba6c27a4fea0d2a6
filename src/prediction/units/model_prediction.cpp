#include "prediction/units/model_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "prediction/units/kernel_identity.h"

namespace opbench {
namespace {

/// Equal kernels of a plan.
struct Group {
  const PlannedStep* step = nullptr;
  int64_t count = 0;
  std::vector<std::string> nodes;
  UnitFeatures features;
};

std::vector<Group> groups_of(const std::vector<PlannedStep>& steps) {
  std::vector<Group> groups;
  std::map<std::string, size_t> places;
  for (const PlannedStep& step : steps) {
    const auto [place, is_new] = places.emplace(kernel_identity(step.spec), groups.size());
    if (is_new) groups.push_back({.step = &step});
    Group& group = groups[place->second];
    ++group.count;
    group.nodes.insert(group.nodes.end(), step.nodes.begin(), step.nodes.end());
  }
  return groups;
}

/// `1x64x56x56 NCHW -> NCHW16c`, as `profile` names a change of layout.
std::string layout_text(const KernelSpec& spec) {
  const auto word = [](const Layout& layout) {
    return layout.is_dense() ? std::string("NCHW") : fmt::format("NCHW{}c", layout.block);
  };
  return fmt::format("{} {} -> {}", shape_text(spec.workload.graph.types.at("y").shape),
                     word(spec.layouts.front()), word(spec.output_layout()));
}

PredictedRow row_of(const Group& group) {
  const KernelSpec& spec = group.step->spec;
  PredictedRow row;
  row.operator_text = group.step->nodes.empty() ? "layout" : operator_text(spec.workload);
  row.shapes = group.step->nodes.empty() ? layout_text(spec) : short_shapes(spec.workload);
  row.workload = text_of(spec.workload);
  row.layouts = blocks_of(spec);
  row.schedule = spec.schedule.empty() ? "reference" : spec.schedule;
  row.config = spec.config;
  row.count = group.count;
  row.nodes = group.nodes;
  return row;
}

double total_s(const PredictedRow& row) {
  return row.time.in_model.median_s * static_cast<double>(row.count);
}

}  // namespace

ModelPrediction predict_steps(const std::vector<PlannedStep>& steps, const UnitPredictor& predictor,
                              double level) {
  std::vector<Group> groups = groups_of(steps);
  std::vector<CountedUnit> units;
  for (Group& group : groups) {
    group.features = unit_features(group.step->spec, predictor.ceilings);
    units.push_back({&group.features, group.count});
  }
  const ModelContext context = context_of(units);
  ModelPrediction prediction;
  double sum_s = 0;
  for (const Group& group : groups) {
    PredictedRow row = row_of(group);
    row.time = predict_unit(predictor, group.features, context, level);
    sum_s += total_s(row);
    if (!row.time.is_in_range) prediction.out_of_range += row.count;
    prediction.units.push_back(std::move(row));
  }
  prediction.total = predict_model(predictor, sum_s, static_cast<int64_t>(steps.size()), level);
  std::ranges::stable_sort(prediction.units, std::greater<>(), total_s);
  return prediction;
}

}  // namespace opbench
