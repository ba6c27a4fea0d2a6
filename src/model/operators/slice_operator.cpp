#include <fmt/format.h>

#include <algorithm>

#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

/// What is taken along each dimension: `count` elements from `start` in steps of `step`.
struct Range {
  int64_t start = 0;
  int64_t count = 0;
  int64_t step = 1;
};

/// Elements of a distance in steps of `step`, whichever way: both may be as large as an integer is.
int64_t count_of_steps(int64_t distance, int64_t step) {
  if (distance <= 0) return 0;
  const uint64_t length = step < 0 ? 0 - static_cast<uint64_t>(step) : static_cast<uint64_t>(step);
  return static_cast<int64_t>(static_cast<uint64_t>(distance - 1) / length) + 1;
}

/// ONNX's clamping: positions beyond an end stop there, -1 past the front when going backwards.
Range slice_range_of(int64_t extent, int64_t start, int64_t end, int64_t step) {
  const auto clamp = [&](int64_t position, int64_t low, int64_t high) {
    return std::clamp(position < 0 ? position + extent : position, low, high);
  };
  Range range{0, 0, step};
  if (extent == 0) return range;
  if (step > 0) {
    range.start = clamp(start, 0, extent);
    range.count = count_of_steps(clamp(end, 0, extent) - range.start, step);
  } else {
    range.start = clamp(start, 0, extent - 1);
    range.count = count_of_steps(range.start - clamp(end, -1, extent - 1), step);
  }
  // No step is taken: one that leads out of the tensor could not be multiplied.
  if (range.count <= 1) range.step = 1;
  return range;
}

Result<std::vector<Range>> ranges_of(const OperatorCall& call) {
  OPBENCH_TRY(const auto starts, integers_of(call, "starts", 1));
  OPBENCH_TRY(const auto ends, integers_of(call, "ends", 2));
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 3));
  OPBENCH_TRY(const auto steps, integers_of(call, "steps", 4));
  if (!starts || !ends || starts->size() != ends->size()) {
    return misfit(call, "starts and ends differ in number");
  }
  const auto fits = [&](const auto& list) { return !list || list->size() == starts->size(); };
  if (!fits(axes) || !fits(steps))
    return misfit(call, "axes or steps differ from starts in number");
  std::vector<Range> ranges;
  for (const int64_t extent : shape_of(call, 0)) ranges.push_back({0, extent, 1});
  for (size_t i = 0; i < starts->size(); ++i) {
    const int64_t wanted = axes ? (*axes)[i] : static_cast<int64_t>(i);
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    const int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0) return misfit(call, "a step is 0");
    ranges[axis] = slice_range_of(shape_of(call, 0)[axis], (*starts)[i], (*ends)[i], step);
  }
  return ranges;
}

Result<std::vector<TensorType>> infer_slice(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 5));
  OPBENCH_TRY(const auto ranges, ranges_of(call));
  Shape shape;
  for (const Range& range : ranges) shape.push_back(range.count);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_slice(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto ranges, ranges_of(call));
  Integers strides = dense_strides(inputs[0].type.shape);
  int64_t begin = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    begin += ranges[i].start * strides[i];
    strides[i] *= ranges[i].step;
  }
  return copy_strided(call, inputs[0], begin, strides, outputs[0]);
}

Node slice_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  move_to_input(call, node, "starts", 1, constants);
  move_to_input(call, node, "ends", 2, constants);
  move_to_input(call, node, "axes", 3, constants);
  return node;
}

}  // namespace

OperatorDef slice_operator() {
  return {
      .name = "slice",
      .summary = "A regular part of a tensor",
      .onnx_types = {"Slice"},
      .infer = infer_slice,
      .flops = no_flops,
      .run = run_slice,
      .parameters = {1, 2, 3, 4},
      .modern_form = slice_modern_form,
  };
}

}  // namespace opbench
