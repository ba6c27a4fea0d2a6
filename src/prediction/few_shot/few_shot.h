#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/errors/error.h"
#include "prediction/few_shot/cell_features.h"
#include "prediction/few_shot/dense_matrix.h"

/// Times of many units on a new device, from a few of them and the times of all units on other
/// devices: the task of MAPLE-Edge (Nair et al. 2022) and HELP (Lee et al. 2021). The new device is
/// a combination of the others without negative weights, as the time of a unit is a sum of parts
/// that devices weigh differently. Plain least squares with ten labels fits their noise; the sign
/// of the weights is what keeps it from doing so.
namespace opbench {

/// The devices that all units were measured on. A descriptor is the times of the same probe
/// kernels on every device. All times are above 0 and in one unit of time.
struct DevicePool {
  DenseMatrix times;        ///< units x devices
  DenseMatrix probes = {};  ///< probes x devices; no rows: no descriptors
};

struct LabelledUnit {
  size_t unit = 0;
  double time = 0;
};

/// What is known of the new device.
struct FewShotDevice {
  std::vector<LabelledUnit> labels;
  std::vector<double> probes = {};  ///< its descriptor; empty: not known
};

/// The pool with less noise: of every time four fifths are what the features say of the device
/// (smoothed_columns) and one fifth is the time itself, as devices share more than features tell.
DenseMatrix smoothed_times(const DenseMatrix& times, const SparseRows& features);

/// The time of every unit on the new device, above 0. Least squares on relative errors; a label far
/// shorter than the unit takes elsewhere counts as if it took half of that. A probe counts like a
/// third of a label, as it says less about the units. `kInvalidInput` for no device in the pool, no
/// label and no probe, a label of no unit, another number of probes, and a time that is not above
/// 0.
Result<std::vector<double>> predict_few_shot(const DevicePool& pool, const FewShotDevice& device);

}  // namespace opbench
