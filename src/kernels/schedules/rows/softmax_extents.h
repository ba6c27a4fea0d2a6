#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// The tensor as [rows, length, inner], normalised along the middle.
struct SoftmaxExtents {
  int64_t rows = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

/// The first axis that is normalised, and the first after it that is not. No axis: the rank or
/// more.
std::pair<size_t, size_t> softmax_axes_of(const KernelSpec& spec);

/// Of a unit that begins with a Softmax or a LogSoftmax; nothing for others.
std::optional<SoftmaxExtents> softmax_extents_of(const KernelSpec& spec);

}  // namespace opbench
