#include "kernels/schedules/rows/layer_norm_rows.h"

#include <algorithm>
#include <vector>

#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"

namespace opbench {
namespace {

bool is_root_mean_square(const KernelSpec& spec) {
  return takes_anchor(spec, "RMSNormalization") ||
         takes_anchor(spec, "SimplifiedLayerNormalization");
}

bool is_by_place(const KernelSpec& spec) {
  return takes_anchor(spec, "LayerNormalization") || is_root_mean_square(spec);
}

/// The first axis of a layer normalisation's rows.
size_t first_axis(const KernelSpec& spec) {
  const size_t rank = anchor_type(spec, 0).shape.size();
  return static_cast<size_t>(
      std::max<int64_t>(0, normal_axis(int_attribute(anchor_of(spec), "axis", -1), rank)));
}

LayerNormRows rows_by_place(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const size_t at = first_axis(spec);
  return {.rows = product(shape, 0, at),
          .spatial = product(shape, at, shape.size()),
          .scaling = RowScaling::kByPlace,
          .epsilon = float_attribute(anchor_of(spec), "epsilon", 1e-5f),
          .has_mean = !is_root_mean_square(spec)};
}

/// Instance normalisation has a group for every channel.
LayerNormRows rows_by_channel(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  const bool is_instance = node.type == "InstanceNormalization";
  const int64_t groups = is_instance ? shape[1] : int_attribute(node, "num_groups", 1);
  return {.rows = shape[0] * groups,
          .channels = shape[1] / groups,
          .spatial = product(shape, 2, shape.size()),
          .groups = groups,
          .scaling = RowScaling::kByChannel,
          .epsilon = float_attribute(node, "epsilon", 1e-5f)};
}

/// Nothing where the axes are not the last ones, apart from those of extent 1.
std::optional<size_t> first_reduced_axis(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  std::vector<bool> is_reduced(shape.size());
  for (const int64_t axis : ints_attribute(anchor_of(spec), "axes", {0, 2, 3}))
    is_reduced.at(static_cast<size_t>(normal_axis(axis, shape.size()))) = true;
  size_t first = shape.size();
  while (first > 0 && (is_reduced[first - 1] || shape[first - 1] == 1)) --first;
  for (size_t i = 0; i < first; ++i)
    if (is_reduced[i] && shape[i] != 1) return std::nullopt;
  return first;
}

std::optional<LayerNormRows> rows_unscaled(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const auto first = first_reduced_axis(spec);
  if (!first) return std::nullopt;
  constexpr float kLeastDeviation = 1e-9f;  // ONNX MeanVarianceNormalization
  return LayerNormRows{.rows = product(shape, 0, *first),
                       .spatial = product(shape, *first, shape.size()),
                       .deviation = kLeastDeviation};
}

}  // namespace

std::optional<LayerNormRows> layer_norm_rows_of(const KernelSpec& spec) {
  if (is_by_place(spec)) return rows_by_place(spec);
  if (takes_anchor(spec, "MeanVarianceNormalization")) return rows_unscaled(spec);
  const bool is_by_channel =
      takes_anchor(spec, "InstanceNormalization") || takes_anchor(spec, "GroupNormalization");
  return is_by_channel ? std::optional(rows_by_channel(spec)) : std::nullopt;
}

bool is_layer_norm(const KernelSpec& spec) {
  const std::optional<LayerNormRows> rows = layer_norm_rows_of(spec);
  if (!rows) return false;
  if (rows->scaling == RowScaling::kNone) return true;
  const bool is_by_channel = rows->scaling == RowScaling::kByChannel;
  const int64_t size = is_by_channel ? rows->groups * rows->channels : rows->length();
  for (const size_t operand : {size_t{1}, size_t{2}}) {
    if (operand == 2 && !has_operand(spec, 2)) continue;
    if (!is_readable(spec, operand) || anchor_type(spec, operand).size() != size) return false;
  }
  return true;
}

size_t leading_axes(const KernelSpec& spec) {
  if (is_by_place(spec)) return first_axis(spec);
  if (takes_anchor(spec, "MeanVarianceNormalization")) return first_reduced_axis(spec).value();
  return 1;
}

}  // namespace opbench
