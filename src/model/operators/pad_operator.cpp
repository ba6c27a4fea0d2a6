#include <fmt/format.h>

#include <algorithm>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

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

Result<std::vector<TensorType>> infer_pad(const OperatorCall& call) {
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
  if (has_input(call, 2)) {
    const auto value = inputs[2].as<T>();
    if (!value.empty()) return value.front();
  }
  return static_cast<T>(float_attribute(*call.node, "value", 0.0F));
}

/// Neighbouring positions of the output that read neighbours of the input.
struct Run {
  int64_t source = 0;  ///< of the first; -1: all are the constant
  int64_t count = 0;
};

/// The run over the whole input is one, outside it positions are looked at one by one.
std::vector<Run> runs_of(int64_t extent, int64_t in, int64_t begin, const std::string& mode) {
  std::vector<Run> runs;
  const int64_t inside = std::clamp<int64_t>(begin, 0, extent);
  const int64_t after = std::clamp<int64_t>(begin + in, inside, extent);
  const auto add = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t at = source(i - begin, in, mode);
      const bool continues = at < 0 && !runs.empty() && runs.back().source < 0;
      if (continues) {
        ++runs.back().count;
      } else {
        runs.push_back({at, 1});
      }
    }
  };
  add(0, inside);
  if (after > inside) runs.push_back({inside - begin, after - inside});
  add(after, extent);
  return runs;
}

/// The axes up to the last padded one, from which on whole blocks are moved.
struct Padding {
  std::vector<std::vector<Run>> runs;  ///< of each axis
  Integers strides;                    ///< of the input
  Integers steps;                      ///< of the output
};

/// Writes the output from `axis` on; `x` is null inside the padding of an outer axis.
template <class T>
void write(const Padding& padding, size_t axis, const T* x, T* y, T fill) {
  const int64_t stride = padding.strides[axis];
  const int64_t step = padding.steps[axis];
  for (const Run& run : padding.runs[axis]) {
    if (x == nullptr || run.source < 0) {
      std::fill_n(y, run.count * step, fill);
    } else if (axis + 1 == padding.runs.size()) {
      const T* from = x + run.source * stride;
      const int64_t count = run.count * step;
      if (count == 1)  // reflected or repeated: the call would take longer than the copy
        *y = *from;
      else
        std::copy_n(from, count, y);
    } else {
      for (int64_t i = 0; i < run.count; ++i)
        write(padding, axis + 1, x + (run.source + i) * stride, y + i * step, fill);
    }
    y += run.count * step;
  }
}

template <class T>
void pad(const OperatorCall& call, const Pads& pads, std::span<const TensorView> inputs,
         const TensorView& out) {
  if (out.type.size() == 0) return;
  const std::string mode = string_attribute(*call.node, "mode", "constant");
  const T fill = fill_value<T>(call, inputs);
  const Shape& in = inputs[0].type.shape;
  Padding padding{.strides = dense_strides(in), .steps = dense_strides(out.type.shape)};
  const auto is_padded = [&](size_t axis) { return pads.begin[axis] != 0 || pads.end[axis] != 0; };
  size_t last = in.empty() ? 0 : in.size() - 1;
  while (last > 0 && !is_padded(last)) --last;
  for (size_t axis = 0; axis <= last && axis < in.size(); ++axis)
    padding.runs.push_back(runs_of(out.type.shape[axis], in[axis], pads.begin[axis], mode));
  const T* x = static_cast<const T*>(inputs[0].data);
  T* y = static_cast<T*>(out.data);
  if (in.empty()) {
    *y = *x;
  } else {
    write(padding, 0, x, y, fill);
  }
}

Result<void> run_pad(const OperatorCall& call, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Pads pads, pads_of(call));
  return with_element(call, inputs[0].type.data_type,
                      [&](auto zero) { pad<decltype(zero)>(call, pads, inputs, outputs[0]); });
}

/// Pads for every axis and the constant as inputs.
Node pad_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
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

int64_t pad_least_opset(const Node& node) {
  return string_attribute(node, "mode", "constant") == "wrap" ? 19 : 1;
}

}  // namespace

OperatorDef pad_operator() {
  return {
      .name = "pad",
      .summary = "Elements added around a tensor",
      .onnx_types = {"Pad"},
      .infer = infer_pad,
      .flops = no_flops,
      .run = run_pad,
      .attributes = {{"mode", std::string("constant")}},
      .parameters = {1, 2, 3},
      .least_opset = pad_least_opset,
      .modern_form = pad_modern_form,
  };
}

}  // namespace opbench
