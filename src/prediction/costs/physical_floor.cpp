#include "prediction/costs/physical_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/system/seconds.h"
#include "prediction/costs/node_cost.h"

namespace opbench {
namespace {

// A row whose types are not known may be narrow.
bool may_be_narrow(const UnitResult& unit) {
  const std::string workload = workload_text(unit.identity);
  if (workload.empty()) return true;
  constexpr std::array kWords = {"int8", "float16", "int16", "int4", "float8"};
  return std::ranges::any_of(
      kWords, [&](const char* word) { return workload.find(word) != std::string::npos; });
}

bool has_narrow_values(const Graph& graph) {
  constexpr size_t kFullBytes = 4;
  const auto is_narrow = [](DataType type) {
    return type != DataType::kBool && size_of(type) > 0 && size_of(type) < kFullBytes;
  };
  return std::ranges::any_of(
             graph.types, [&](const auto& value) { return is_narrow(value.second.data_type); }) ||
         std::ranges::any_of(graph.constants, [&](const auto& value) {
           return is_narrow(value.second.type.data_type);
         });
}

// FLOPs that every run of the model must compute.
double least_flops(const Model& model) {
  constexpr std::array kProducts = {"Conv", "Gemm", "MatMul"};
  const NodeCosts costs(model);
  double sum = 0;
  for (const Node& node : model.graph.nodes) {
    const bool is_product = std::ranges::count(kProducts, node.type) > 0;
    const bool is_constant = std::ranges::all_of(node.inputs, [&](const std::string& name) {
      return name.empty() || model.graph.constants.contains(name);
    });
    if (!is_product || is_constant) continue;
    const auto cost = costs.of({node.name.empty() ? node.outputs.front() : node.name});
    if (cost) sum += cost->flops;
  }
  return sum;
}

Failure impossible(double seconds, double flops, double floor_s) {
  return {FailureKind::kWrongResult,
          fmt::format(
              "its time is impossible: {:.3g} ms for {:.3g} MFLOP, which take {:.3g} ms at least",
              s_to_ms(seconds), flops * 1e-6, s_to_ms(floor_s))};
}

}  // namespace

double physical_floor_s(double flops, bool is_narrow, const Ceilings& ceilings, int threads) {
  const double peak = threads == 1 ? ceilings.peak_one_thread : ceilings.peak_all_threads;
  if (peak <= 0) return 0;
  const double speed = is_narrow ? kNarrowSpeed : 1;
  return flops / (peak * 1e9 * kLeastMultiplications * speed * kCeilingError);
}

std::optional<Failure> impossible_time(const UnitResult& unit, const EngineResult& engine,
                                       const Ceilings& ceilings) {
  if (!unit.time || !unit.flops) return {};
  const double floor_s =
      physical_floor_s(*unit.flops, may_be_narrow(unit), ceilings, engine.threads);
  const double seconds = ms_to_s(unit.time->median_ms);
  if (seconds >= floor_s) return {};
  return impossible(seconds, *unit.flops, floor_s);
}

std::optional<Failure> impossible_model_time(const Model& model, double seconds,
                                             const Ceilings& ceilings, int threads) {
  const double flops = least_flops(model);
  const double floor_s = physical_floor_s(flops, has_narrow_values(model.graph), ceilings, threads);
  if (seconds >= floor_s) return {};
  return impossible(seconds, flops, floor_s);
}

}  // namespace opbench
