#include "model/operators/quantised/quantization.h"

#include <fmt/format.h>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

bool is_single(const Shape& shape) { return shape.empty() || (shape.size() == 1 && shape[0] == 1); }

Result<ScaleLayout> blocked_layout(const OperatorCall& call, ScaleLayout layout, size_t axis) {
  const Shape& x = shape_of(call, 0);
  const Shape& scales = shape_of(call, 1);
  if (layout.block < 1) {
    return misfit(call, fmt::format("block_size {} is below 1", layout.block));
  }
  Shape wanted = x;
  wanted[axis] = x[axis] / layout.block + (x[axis] % layout.block != 0 ? 1 : 0);
  if (scales != wanted) {
    return misfit(call, fmt::format("scale {} is not {}, one for every block of {}",
                                    shape_text(scales), shape_text(wanted), layout.block));
  }
  layout.inner_stride = 1;
  layout.axis_stride = layout.inner;
  layout.outer_stride = wanted[axis] * layout.inner;
  return layout;
}

}  // namespace

bool is_byte(DataType type) { return type == DataType::kInt8 || type == DataType::kUint8; }

int byte_at(const Tensor& tensor, int64_t at) {
  const auto index = static_cast<size_t>(at);
  return tensor.type.data_type == DataType::kInt8 ? int{tensor.as<int8_t>()[index]}
                                                  : int{tensor.as<uint8_t>()[index]};
}

Result<ScaleLayout> scale_layout(const OperatorCall& call) {
  const Shape& x = shape_of(call, 0);
  const Shape& scales = shape_of(call, 1);
  if (has_input(call, 2) && shape_of(call, 2) != scales &&
      !(is_single(scales) && is_single(shape_of(call, 2)))) {
    return misfit(call, fmt::format("zero point {} is not of the scale's shape {}",
                                    shape_text(shape_of(call, 2)), shape_text(scales)));
  }
  const int64_t block = int_attribute(*call.node, "block_size", 0);
  ScaleLayout layout;
  if (block == 0 && is_single(scales)) return layout;
  OPBENCH_TRY(const int64_t axis,
              axis_of(call, int_attribute(*call.node, "axis", 1), rank_of(call, 0)));
  layout.extent = x[static_cast<size_t>(axis)];
  layout.inner = element_count({x.begin() + axis + 1, x.end()});
  if (block != 0) {
    layout.block = block;
    return blocked_layout(call, layout, static_cast<size_t>(axis));
  }
  if (scales != Shape{layout.extent}) {
    return misfit(call, fmt::format("scale {} does not fit extent {} of axis {}",
                                    shape_text(scales), layout.extent, axis));
  }
  layout.axis_stride = 1;
  return layout;
}

bool is_scaling(const Node& node, size_t index) {
  if (node.type == "QLinearAdd") return index != 0 && index != 3;
  return (node.type == "QuantizeLinear" || node.type == "DequantizeLinear") && index > 0;
}

std::optional<size_t> weight_zero_point(const Node& node) {
  if (node.type == "QLinearConv" || node.type == "QLinearMatMul") return 5;
  if (node.type == "ConvInteger" || node.type == "MatMulInteger") return 3;
  return std::nullopt;
}

bool is_quantized(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8 || type == DataType::kInt16 ||
         type == DataType::kUint16;
}

Result<void> require_byte_integers(const OperatorCall& call, size_t index) {
  const DataType type = call.inputs[index]->data_type;
  if (type == DataType::kInt8 || type == DataType::kUint8) return {};
  return misfit(call, fmt::format("operand {} is {}, not int8 or uint8", index, name_of(type)));
}

Result<void> require_zero_point(const OperatorCall& call, size_t zero_point, size_t operand) {
  if (!has_input(call, zero_point)) return {};
  const DataType type = call.inputs[operand]->data_type;
  const DataType of_point = call.inputs[zero_point]->data_type;
  if (of_point == type) return {};
  return misfit(call, fmt::format("zero point {} is {}, its operand {}", zero_point,
                                  name_of(of_point), name_of(type)));
}

Result<void> require_single(const OperatorCall& call, size_t index, const char* what) {
  if (!has_input(call, index) || is_single(shape_of(call, index))) return {};
  return misfit(call, fmt::format("{} of shape {} has not one element", what,
                                  shape_text(shape_of(call, index))));
}

Result<std::vector<int32_t>> centred(const OperatorCall& call, const TensorView& x,
                                     const TensorView& zero_points, const Integers& strides) {
  std::vector<int32_t> result(static_cast<size_t>(x.type.size()));
  OPBENCH_CHECK(with_element(call, x.type.data_type, [&](auto zero) {
    std::ranges::transform(x.as<decltype(zero)>(), result.begin(),
                           [](auto value) { return static_cast<int32_t>(value); });
  }));
  if (zero_points.data == nullptr) return result;
  OPBENCH_CHECK(with_element(call, zero_points.type.data_type, [&](auto zero) {
    const auto* points = static_cast<const decltype(zero)*>(zero_points.data);
    const int64_t step = last_stride(strides);
    for_each_row<1>(x.type.shape, {strides}, [&](int64_t first, auto at, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        result[static_cast<size_t>(first + i)] -= static_cast<int32_t>(points[at[0] + i * step]);
      }
    });
  }));
  return result;
}

}  // namespace opbench
