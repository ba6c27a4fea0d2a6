#include <fmt/format.h>

#include <algorithm>

#include "model/operators/elements/element_type.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

/// The shape that a pool with this window has as its input.
Result<Shape> unpooled_shape(const OperatorCall& call) {
  const Shape in = spatial_extents(shape_of(call, 0));
  const Integers kernel = ints_attribute(*call.node, "kernel_shape", {});
  if (kernel.empty()) return misfit(call, "kernel_shape is missing");
  OPBENCH_TRY(const Window window, unresolved_window(call, in, kernel));
  Shape shape{shape_of(call, 0)[0], shape_of(call, 0)[1]};
  for (const WindowAxis& axis : window) {
    shape.push_back((axis.input - 1) * axis.stride + axis.kernel - axis.pad_begin - axis.pad_end);
    if (shape.back() < 1) return misfit(call, fmt::format("gives extent {}", shape.back()));
  }
  return shape;
}

/// What `output_shape` asks for: at least the shape that follows from the window.
Result<Shape> result_shape(const OperatorCall& call) {
  OPBENCH_TRY(const Shape least, unpooled_shape(call));
  if (!has_input(call, 2)) return least;
  OPBENCH_TRY(const Shape wanted, known_integers(call, 2, "output_shape"));
  bool is_smaller = wanted.size() != least.size();
  for (size_t i = 0; i < least.size() && !is_smaller; ++i) is_smaller = wanted[i] < least[i];
  if (is_smaller) {
    return misfit(call, fmt::format("output_shape {} does not hold {}", shape_text(wanted),
                                    shape_text(least)));
  }
  return wanted;
}

Result<std::vector<TensorType>> infer_max_unpool(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 3));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, 0, 3, 5));
  if (shape_of(call, 1) != shape_of(call, 0)) {
    return misfit(call, fmt::format("indices {} do not fit input {}", shape_text(shape_of(call, 1)),
                                    shape_text(shape_of(call, 0))));
  }
  if (call.inputs[1]->data_type != DataType::kInt64) {
    return misfit(call, fmt::format("indices are {}", name_of(call.inputs[1]->data_type)));
  }
  OPBENCH_TRY(Shape shape, result_shape(call));
  return std::vector<TensorType>{{call.inputs[0]->data_type, std::move(shape)}};
}

/// Indices count the elements of the tensor that was pooled, whose shape follows from the window.
/// In a larger result every element keeps its coordinates.
int64_t moved(int64_t index, const Shape& from, const Shape& to) {
  int64_t offset = 0;
  int64_t stride = 1;
  for (size_t d = from.size(); d-- > 0; index /= from[d]) {
    offset += index % from[d] * stride;
    stride *= to[d];
  }
  return offset;
}

Result<void> check_indices(const OperatorCall& call, std::span<const int64_t> indices,
                           int64_t count) {
  for (const int64_t index : indices) {
    if (index < 0 || index >= count) {
      return misfit(call, fmt::format("index {} is outside {} elements", index, count));
    }
  }
  return {};
}

Result<void> run_max_unpool(const OperatorCall& call, std::span<const TensorView> inputs,
                            std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Shape from, unpooled_shape(call));
  const auto indices = inputs[1].as<int64_t>();
  OPBENCH_CHECK(check_indices(call, indices, element_count(from)));
  return with_width(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto x = inputs[0].as<T>();
    const auto y = outputs[0].as<T>();
    std::ranges::fill(y, zero);
    for (size_t i = 0; i < x.size(); ++i) {
      y[static_cast<size_t>(moved(indices[i], from, outputs[0].type.shape))] = x[i];
    }
  });
}

Attributes max_unpool_normal_form(const OperatorCall& call) {
  const Integers kernel = ints_attribute(*call.node, "kernel_shape", {});
  const auto window = unresolved_window(call, spatial_extents(shape_of(call, 0)), kernel);
  if (!window) return {};
  Attributes result = normal_window(*window);
  result["kernel_shape"] = kernel;
  return result;
}

}  // namespace

OperatorDef max_unpool_operator() {
  return {
      .name = "max_unpool",
      .summary = "The elements of a max pool put back where they came from, 0 elsewhere",
      .onnx_types = {"MaxUnpool"},
      .infer = infer_max_unpool,
      .flops = no_flops,
      .run = run_max_unpool,
      .normal_form = max_unpool_normal_form,
      .attributes = {{"kernel_shape", Integers{}}, {"pads", Integers{}}, {"strides", Integers{}}},
      .parameters = {2},
      .domains = {{"MaxUnpool", 1, {0, 1}}},
  };
}

}  // namespace opbench
