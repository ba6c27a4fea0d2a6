#pragma once

#include <cstdint>
#include <optional>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// Which scale and bias an element has.
enum class RowScaling { kNone, kByPlace, kByChannel };

/// The tensor as [rows, channels, spatial], every row brought to mean 0 and variance 1, or divided
/// by its root mean square.
struct LayerNormRows {
  int64_t rows = 1;
  int64_t channels = 1;
  int64_t spatial = 1;
  int64_t groups = 1;  ///< rows of one image: channel c of row r is c + r % groups * channels
  RowScaling scaling = RowScaling::kNone;
  float epsilon = 0;     ///< added to the variance
  float deviation = 0;   ///< added to its root
  bool has_mean = true;  ///< which is subtracted

  int64_t length() const { return channels * spatial; }
};

/// Of a unit that begins with a layer, instance, group, mean variance or root mean square
/// normalisation; nothing for others.
std::optional<LayerNormRows> layer_norm_rows_of(const KernelSpec& spec);

/// True for such a unit whose scale and bias kernels can read.
bool is_layer_norm(const KernelSpec& spec);

/// Leading axes along which there are rows, or groups of rows.
size_t leading_axes(const KernelSpec& spec);

}  // namespace opbench
