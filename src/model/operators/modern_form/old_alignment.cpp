#include "model/operators/modern_form/old_alignment.h"

#include <fmt/format.h>

#include <set>

namespace opbench {
namespace {

constexpr int64_t kFirstNumpyOpset = 7;

bool has_axis(const OperatorCall& call) {
  static const std::set<std::string> kTypes = {"Add", "And", "Div", "Equal", "Greater", "Less",
                                               "Mul", "Or",  "Pow", "Sub",   "Xor"};
  return kTypes.contains(call.node->type) && call.node->attributes.contains("axis");
}

Error unaligned(const OperatorCall& call, int64_t axis) {
  return misfit(call, fmt::format("operand 1 of shape {} does not fit {} from axis {} on, as opset "
                                  "{} lays it",
                                  shape_text(shape_of(call, 1)), shape_text(shape_of(call, 0)),
                                  axis, call.opset));
}

/// From `axis` on, counted from the end where it is negative.
Result<int64_t> extents_behind(const OperatorCall& call, int64_t axis) {
  const Shape& whole = shape_of(call, 0);
  const Shape& part = shape_of(call, 1);
  const int64_t first = axis < 0 ? axis + rank_of(call, 0) : axis;
  const int64_t behind = rank_of(call, 0) - first - rank_of(call, 1);
  if (first < 0 || behind < 0) return unaligned(call, axis);
  for (size_t i = 0; i < part.size(); ++i) {
    const bool fits = part[i] == 1 || part[i] == whole[static_cast<size_t>(first) + i];
    if (!fits) return unaligned(call, axis);
  }
  return behind;
}

}  // namespace

Result<int64_t> extents_to_append(const OperatorCall& call) {
  if (call.opset >= kFirstNumpyOpset || !has_input(call, 0) || !has_input(call, 1)) return 0;
  const int64_t missing = rank_of(call, 0) - rank_of(call, 1);
  if (missing <= 0) return 0;
  if (has_axis(call)) return extents_behind(call, int_attribute(*call.node, "axis", 0));
  const bool is_slope = call.node->type == "PRelu" && rank_of(call, 1) == 1 &&
                        shape_of(call, 1)[0] == shape_of(call, 0)[1];
  return is_slope ? extents_behind(call, 1) : Result<int64_t>(0);
}

Result<void> require_alignment(const OperatorCall& call) {
  OPBENCH_TRY(const int64_t extents, extents_to_append(call));
  if (extents == 0) return {};
  return misfit(
      call, fmt::format("operand 1 of shape {} is not laid along {} as opset {} does",
                        shape_text(shape_of(call, 1)), shape_text(shape_of(call, 0)), call.opset));
}

}  // namespace opbench
