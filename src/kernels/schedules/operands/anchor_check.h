#pragma once

#include <cstdint>
#include <string>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// The node that a unit starts with.
const Node& anchor_of(const KernelSpec& spec);

/// Type of the anchor's operand, which must not be omitted, and of its result.
const TensorType& anchor_type(const KernelSpec& spec, size_t operand);
const TensorType& anchor_result(const KernelSpec& spec);

/// The layout of the anchor's operand; plain when it is a constant.
Layout anchor_layout(const KernelSpec& spec, size_t operand);

/// True if the unit is one node of the full type `type` (node_type.h) and steps that an epilogue
/// can compute. Its operands are float32, it has one result, and no extent is 0. The steps must not
/// read the anchor's operand 0, because the schedule may see that one under other extents.
bool takes_anchor(const KernelSpec& spec, const std::string& type);

/// The same for an anchor that moves elements or compares them: also on 8-bit integers and int32.
bool takes_moving_anchor(const KernelSpec& spec, const std::string& type);

/// The same for an anchor on 8-bit integers with a result of them, or of int32.
bool takes_integer_anchor(const KernelSpec& spec, const std::string& type);

/// True if operand 0 and the output are plain; and if both have blocks of the target's lanes.
bool is_plain(const KernelSpec& spec);
bool is_blocked(const KernelSpec& spec);

/// Product of extents [first, last).
int64_t product(const Shape& shape, size_t first, size_t last);

/// Counted from the front; -1 when outside.
int64_t normal_axis(int64_t axis, size_t rank);

}  // namespace opbench
