#include "prediction/predict/model_context.h"

#include <algorithm>
#include <cmath>

#include "prediction/costs/roofline.h"

namespace opbench {

ModelContext context_of(const std::vector<CountedUnit>& units, const Ceilings& ceilings,
                        int threads, bool is_side_by_side) {
  constexpr double kNanoseconds = 1e9;
  // Share of its capacity that a cache keeps from one run of the model to the next. Of 1, 2/3 and
  // 1/2 this one predicts unseen families best.
  constexpr double kKept = 0.5;
  double weights = 0;
  double bytes = 0;
  double bound_ns = 0;
  double count = 0;
  for (const CountedUnit& unit : units) {
    const KernelWork& work = unit.features->work;
    const auto times = static_cast<double>(unit.count);
    const double of_weights =
        work.weight_bytes * static_cast<double>(unit.weight_sets.value_or(unit.count));
    weights += of_weights;
    bytes += of_weights + (work.footprint() - work.weight_bytes) * times;
    bound_ns += unit.features->bound_s * kNanoseconds * times;
    count += times;
  }
  const auto log_of = [](double value) { return static_cast<float>(std::log2(1 + value)); };
  return {.values = {log_of(weights), log_of(bytes), log_of(bound_ns), log_of(count),
                     is_side_by_side ? 1.0F : 0.0F},
          .weight_s_per_byte = seconds_per_byte(bytes / kKept, ceilings, threads)};
}

double cold_weights_s(const UnitFeatures& features, const ModelContext& context) {
  const double longer_s = context.weight_s_per_byte - features.roofline.s_per_byte;
  return std::max(longer_s, 0.0) * features.work.weight_bytes;
}

}  // namespace opbench
