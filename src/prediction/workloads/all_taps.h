#pragma once

#include "kernels/schedules/convolution/conv_geometry.h"

namespace opbench {

/// FLOPs of a kernel that computes so many outputs and, for each, every tap of the filter, those on
/// the padding too.
inline double flops_of_all_taps(const ConvGeometry& geometry, double outputs) {
  int64_t taps = geometry.group_in();
  for (const int64_t extent : geometry.kernel) taps *= extent;
  return 2 * outputs * static_cast<double>(taps);
}

}  // namespace opbench
