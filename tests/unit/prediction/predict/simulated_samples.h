#pragma once

#include <fmt/format.h>

#include <cmath>

#include "base/numbers/random.h"
#include "default_kernel.h"
#include "prediction/predict/unit_sample.h"

namespace opbench {

/// Seconds of a unit alone on a machine whose law is known: the bound times what depends on the
/// number of channels and on the schedule.
inline double simulated_isolated_s(const KernelSpec& spec, const UnitFeatures& features) {
  const Shape& out = spec.workload.graph.types.at("y").shape;
  const double channels = std::log2(static_cast<double>(out[1]));
  const double of_schedule = 1.1 + 0.1 * static_cast<double>(spec.schedule.size() % 5);
  return features.bound_s * of_schedule * (1 + 0.08 * std::abs(channels - 6)) + 2e-7;
}

/// Models of random convolutions and activations. `noise`: of every time, as a share.
inline SampleSet simulated_samples(int models, uint64_t seed, double noise = 0) {
  Random random(seed);
  SampleSet set;
  const auto disturbed = [&](double seconds) {
    return seconds * std::exp(noise * random.normal());
  };
  for (int m = 0; m < models; ++m) {
    const std::string name = fmt::format("model-{}", m);
    ModelSample model{.record_ids = {name}, .model = name, .group = name};
    double sum_s = 0;
    for (int u = 0; u < 12; ++u) {
      const int64_t channels = 16 * static_cast<int64_t>(1 + random.below(16));
      const int64_t filters = 16 * static_cast<int64_t>(1 + random.below(16));
      const int64_t size = 7 * static_cast<int64_t>(1 + random.below(6));
      const int64_t kernel = random.below(2) == 0 ? 1 : 3;
      const std::string text =
          u % 4 == 3 ? fmt::format("relu 1x{}x{}x{}", channels, size, size)
                     : fmt::format("conv2d 1x{0}x{2}x{2} w:{1}x{0}x{3}x{3} pads={4},{4},{4},{4}",
                                   channels, filters, size, kernel, kernel / 2);
      const KernelSpec spec = default_kernel(text, 16);
      UnitSample unit{.record_ids = {fmt::format("{}-{}", name, u)}, .model = name, .group = name};
      unit.identity = text + "|16|" + spec.schedule;
      unit.features = unit_features(spec, round_ceilings());
      const double isolated_s = simulated_isolated_s(spec, unit.features);
      const double place = 1.1 + 0.02 * std::log2(1 + unit.features.work.weight_bytes / 1024);
      unit.isolated_s = disturbed(isolated_s);
      unit.in_model_s = disturbed(isolated_s * place);
      sum_s += *unit.in_model_s;
      model.units.emplace_back(set.units.size(), 1);
      set.units.push_back(std::move(unit));
    }
    model.dispatch_s = 12 * 3e-7;
    model.call_overhead_s = 5e-6;
    model.end_to_end_s = sum_s + *model.dispatch_s + *model.call_overhead_s;
    model.visits = 1;
    std::vector<CountedUnit> counted;
    for (const auto& [unit, count] : model.units) {
      counted.push_back({&set.units[unit].features, count});
    }
    const ModelContext context = context_of(counted, round_ceilings(), 1);
    for (const auto& [unit, count] : model.units) set.units[unit].context = context;
    set.models.push_back(std::move(model));
  }
  return set;
}

inline std::vector<const UnitSample*> pointers(const SampleSet& set) {
  std::vector<const UnitSample*> all;
  for (const UnitSample& unit : set.units) all.push_back(&unit);
  return all;
}

}  // namespace opbench
