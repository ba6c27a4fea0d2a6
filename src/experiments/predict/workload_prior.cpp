#include "experiments/predict/workload_prior.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/model/workload_extents.h"
#include "experiments/sessions/request/profile_request.h"
#include "model/passes/passes.h"
#include "model/zoo/zoo.h"
#include "prediction/costs/expected_seconds.h"

namespace opbench {
namespace {

/// Longer workloads are no samples: they would take the time of many others.
constexpr double kMostExpectedSeconds = 0.05;
constexpr double kMostBytes = 64e6;

int64_t scaled(int64_t extent, double factor) {
  const double wanted = static_cast<double>(extent) * factor;
  const double step = wanted >= 32 ? 8 : wanted >= 8 ? 4 : 1;
  return std::max<int64_t>(1, std::llround(wanted / step) * std::llround(step));
}

bool is_short(const Workload& workload) {
  return expected_seconds(workload) <= kMostExpectedSeconds && bytes_of(workload) <= kMostBytes;
}

}  // namespace

std::vector<PriorWorkload> workloads_of_zoo() {
  std::map<std::string, double> weights;
  for (const ZooEntry& entry : zoo_entries()) {
    ProfileRequest request;
    request.model.name = entry.name;
    request.model.is_zoo = true;
    auto model = load_outline(request.model, request.measure, request.hooks);
    if (!model) continue;
    const auto units = lower(*model);
    if (!units) continue;
    double sum_s = 0;
    for (const Unit& unit : *units) sum_s += expected_seconds(unit.workload);
    for (const Unit& unit : *units) {
      // The root lets small units come in, too.
      weights[text_of(unit.workload)] += std::sqrt(expected_seconds(unit.workload) / sum_s);
    }
  }
  std::vector<PriorWorkload> prior;
  for (const auto& [text, weight] : weights) prior.push_back({text, weight});
  return prior;
}

const PriorWorkload& draw(const std::vector<PriorWorkload>& prior, Random& random) {
  double sum = 0;
  for (const PriorWorkload& workload : prior) sum += workload.weight;
  double place = random.uniform() * sum;
  for (const PriorWorkload& workload : prior) {
    place -= workload.weight;
    if (place <= 0) return workload;
  }
  return prior.back();
}

std::optional<Workload> scaled_workload(const std::string& text, const ScaleRange& range,
                                        Random& random) {
  const auto workload = parse_workload(text);
  if (!workload || workload->graph.inputs.empty()) return {};
  const auto factor = [&] {
    return range.least * std::pow(range.most / range.least, random.uniform());
  };
  const double image = range.scales_images ? factor() : 1;
  std::vector<ExtentChange> changes;
  const auto change = [&](const char* name, double by) {
    const auto place = extent_place(*workload, name);
    if (!place) return;
    const auto& value = workload->graph.inputs[place->operand];
    const int64_t extent = workload->graph.types.at(value.name).shape[place->dimension];
    if (extent > 1 && by != 1) changes.push_back({*place, scaled(extent, by)});
  };
  change("C", factor());
  change("K", factor());
  change("H", image);
  change("W", image);
  auto changed = with_extents(*workload, changes);
  if (!changed || !is_short(*changed)) {
    if (is_short(*workload)) return *workload;
    return {};
  }
  return *changed;
}

}  // namespace opbench
