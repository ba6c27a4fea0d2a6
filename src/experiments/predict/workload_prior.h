#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// A layer that some model has, and how much it counts.
struct PriorWorkload {
  std::string text;  ///< canonical
  double weight = 0;
};

/// The units of the built-in models by our fusion, one entry a workload, weighted by the expected
/// share of the model's time. Models that cannot be lowered are left out.
std::vector<PriorWorkload> workloads_of_zoo();

/// Draws by weight, of a list that is not empty.
const PriorWorkload& draw(const std::vector<PriorWorkload>& prior, Random& random);

/// By what channels and images of a drawn workload are multiplied.
struct ScaleRange {
  double least = 0.5;
  double most = 1.3;  ///< nn-Meter's range around a workload that was predicted badly (2021)
  bool scales_images = false;
};

/// The workload with other channels, filters and (if asked) rows and columns; nothing where its
/// operands then do not fit, and where it would take long.
std::optional<Workload> scaled_workload(const std::string& text, const ScaleRange& range,
                                        Random& random);

}  // namespace opbench
