#include <fmt/format.h>

#include <algorithm>

#include "model/operators/element_type.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

/// Elements added before and after every dimension; negative ones cut off.
struct Pads {
  Integers begin;
  Integers end;
};

Result<Pads> pads_of(const OperatorCall& call) {
  const bool is_oldest = call.node->attributes.contains("paddings");
  OPBENCH_TRY(const auto given, integers_of(call, is_oldest ? "paddings" : "pads", 1));
  if (!given) return misfit(call, "pads are missing");
  const auto rank = static_cast<size_t>(rank_of(call, 0));
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 3));
  const size_t count = axes ? axes->size() : rank;
  if (given->size() != 2 * count) {
    return misfit(call, fmt::format("has {} pads, needs {}", given->size(), 2 * count));
  }
  Pads pads{Integers(rank, 0), Integers(rank, 0)};
  for (size_t i = 0; i < count; ++i) {
    const int64_t wanted = axes ? (*axes)[i] : static_cast<int64_t>(i);
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    pads.begin[axis] = (*given)[i];
    pads.end[axis] = (*given)[count + i];
  }
  return pads;
}

Result<std::vector<TensorType>> infer(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 4));
  OPBENCH_TRY(const std::string mode,
              choice_attribute(call, "mode", "constant", {"constant", "reflect", "edge", "wrap"}));
  OPBENCH_TRY(const Pads pads, pads_of(call));
  Shape shape = shape_of(call, 0);
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool too_far = (mode == "reflect" && std::max(pads.begin[i], pads.end[i]) >= shape[i]) ||
                         (mode != "constant" && shape[i] == 0);
    int64_t extent = 0;
    const bool is_beyond = __builtin_add_overflow(pads.begin[i], pads.end[i], &extent) ||
                           __builtin_add_overflow(extent, shape[i], &extent);
    const bool is_moved = pads.begin[i] != 0 || pads.end[i] != 0;
    if (is_beyond || extent < 0 || (too_far && is_moved)) {
      return misfit(call, fmt::format("pads {} and {} do not fit extent {}", pads.begin[i],
                                      pads.end[i], shape[i]));
    }
    shape[i] = extent;
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// Where output position `at` reads; -1 for the constant.
int64_t source(int64_t at, int64_t extent, const std::string& mode) {
  if (at >= 0 && at < extent) return at;
  if (mode == "constant") return -1;
  if (mode == "edge") return std::clamp<int64_t>(at, 0, extent - 1);
  if (mode == "wrap") return ((at % extent) + extent) % extent;
  return at < 0 ? -at : 2 * (extent - 1) - at;
}

template <class T>
T fill_value(const OperatorCall& call, std::span<const TensorView> inputs) {
  if (has_input(call, 2)) return *static_cast<const T*>(inputs[2].data);
  return static_cast<T>(float_attribute(*call.node, "value", 0.0F));
}

template <class T>
void pad(const OperatorCall& call, const Pads& pads, std::span<const TensorView> inputs,
         const TensorView& out) {
  const std::string mode = string_attribute(*call.node, "mode", "constant");
  const T fill = fill_value<T>(call, inputs);
  const Shape& in = inputs[0].type.shape;
  const Shape& shape = out.type.shape;
  const Integers strides = dense_strides(in);
  std::vector<Integers> offsets(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    for (int64_t i = 0; i < shape[d]; ++i) {
      const int64_t at = source(i - pads.begin[d], in[d], mode);
      offsets[d].push_back(at < 0 ? -1 : at * strides[d]);
    }
  }
  const T* x = static_cast<const T*>(inputs[0].data);
  const Integers out_strides = dense_strides(shape);
  const auto y = out.as<T>();
  for (size_t flat = 0; flat < y.size(); ++flat) {
    int64_t offset = 0;
    for (size_t d = 0; d < shape.size() && offset >= 0; ++d) {
      const int64_t step = offsets[d][static_cast<int64_t>(flat) / out_strides[d] % shape[d]];
      offset = step < 0 ? -1 : offset + step;
    }
    y[flat] = offset < 0 ? fill : x[offset];
  }
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Pads pads, pads_of(call));
  return with_element(call, inputs[0].type.data_type,
                      [&](auto zero) { pad<decltype(zero)>(call, pads, inputs, outputs[0]); });
}

/// Pads for every axis and the constant as inputs.
Node modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  if (const auto pads = pads_of(call)) {
    Integers all = pads->begin;
    all.insert(all.end(), pads->end.begin(), pads->end.end());
    set_constant_input(node, 1, integer_tensor(all), constants);
    node.inputs.resize(std::min<size_t>(node.inputs.size(), 3));
  }
  const float value = float_attribute(node, "value", 0.0F);
  if (value != 0.0F) set_constant_input(node, 2, float_scalar(value), constants);
  return node;
}

int64_t least_opset(const Node& node) {
  return string_attribute(node, "mode", "constant") == "wrap" ? 19 : 1;
}

}  // namespace

OperatorDef pad_operator() {
  return {
      .name = "pad",
      .summary = "Elements added around a tensor",
      .onnx_types = {"Pad"},
      .infer = infer,
      .flops = no_flops,
      .run = run,
      .attributes = {{"mode", std::string("constant")}},
      .parameters = {1, 2, 3},
      .least_opset = least_opset,
      .modern_form = modern_form,
  };
}

}  // namespace opbench
