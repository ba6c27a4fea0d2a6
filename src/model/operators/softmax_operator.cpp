#include <algorithm>
#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

/// The tensor as [outer, length, inner], normalised along the middle. Before opset 13 (and with our
/// own attribute `coerced`) everything from `axis` on is one length.
struct ExtentsOfSoftmax {
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
};

bool is_coerced(const OperatorCall& call) {
  return call.opset < 13 || int_attribute(*call.node, "coerced", 0) != 0;
}

int64_t given_axis(const OperatorCall& call) {
  return int_attribute(*call.node, "axis", call.opset < 13 ? 1 : -1);
}

int64_t softmax_axis_attribute(const OperatorCall& call) {
  const int64_t axis = given_axis(call);
  return axis < 0 ? axis + rank_of(call, 0) : axis;
}

ExtentsOfSoftmax extents_of_softmax(const OperatorCall& call) {
  ExtentsOfSoftmax e;
  const int64_t axis = softmax_axis_attribute(call);
  for (int64_t i = 0; i < rank_of(call, 0); ++i) {
    const int64_t extent = shape_of(call, 0)[static_cast<size_t>(i)];
    if (i < axis) {
      e.outer *= extent;
    } else if (i == axis || is_coerced(call)) {
      e.length *= extent;
    } else {
      e.inner *= extent;
    }
  }
  return e;
}

Result<std::vector<TensorType>> infer_softmax(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  const int64_t rank = rank_of(call, 0);
  const int64_t axis = given_axis(call);
  const bool is_whole = is_coerced(call) && axis == rank;
  if (!is_whole) OPBENCH_CHECK(axis_of(call, axis, rank));
  return same_as_first(call);
}

/// Maximum, difference, exponential, sum and quotient: 5 for each result.
double softmax_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 5.0 * static_cast<double>(outputs[0].size());
}

void normalise_softmax(const float* x, float* y, int64_t length, int64_t stride, bool is_log) {
  double top = x[0];
  for (int64_t i = 1; i < length; ++i) top = std::max<double>(top, x[i * stride]);
  double sum = 0;
  for (int64_t i = 0; i < length; ++i) sum += std::exp(x[i * stride] - top);
  const double log_sum = std::log(sum);
  for (int64_t i = 0; i < length; ++i) {
    const double value = x[i * stride] - top;
    y[i * stride] = static_cast<float>(is_log ? value - log_sum : std::exp(value) / sum);
  }
}

Result<void> run_softmax(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs));
  const ExtentsOfSoftmax e = extents_of_softmax(call);
  const float* x = inputs[0].as<float>().data();
  float* y = outputs[0].as<float>().data();
  const bool is_log = call.node->type == "LogSoftmax";
  for (int64_t o = 0; o < e.outer && e.length > 0; ++o) {
    for (int64_t i = 0; i < e.inner; ++i) {
      const int64_t begin = o * e.length * e.inner + i;
      normalise_softmax(x + begin, y + begin, e.length, e.inner, is_log);
    }
  }
  return {};
}

/// Opset 17 has the axis alone. What older ones lump together from `axis` on is one axis when no
/// other extent is above 1; else the attribute `coerced`, which is ours, keeps the meaning.
Node softmax_modern_form(const OperatorCall& call, std::map<std::string, Tensor>&) {
  Node node = *call.node;
  if (call.opset >= 13) return node;
  const Shape& shape = shape_of(call, 0);
  int64_t axis = softmax_axis_attribute(call);
  int64_t above_one = 0;
  for (int64_t i = axis; i < rank_of(call, 0); ++i) {
    if (shape[static_cast<size_t>(i)] == 1) continue;
    if (++above_one == 1) axis = i;
  }
  node.attributes["axis"] = axis;
  if (above_one > 1) {
    node.attributes["axis"] = softmax_axis_attribute(call);
    node.attributes["coerced"] = int64_t{1};
  } else if (axis == rank_of(call, 0)) {
    node.attributes["axis"] = axis - 1;
  }
  return node;
}

Attributes softmax_normal_form(const OperatorCall& call) {
  Attributes result;
  const int64_t axis = softmax_axis_attribute(call);
  if (is_coerced(call)) result["coerced"] = int64_t{1};
  if (axis != rank_of(call, 0) - 1) result["axis"] = axis;
  return result;
}

}  // namespace

OperatorDef softmax_operator() {
  return {
      .name = "softmax",
      .summary = "Exponentials divided by their sum along an axis, or the logarithm of that",
      .onnx_types = {"Softmax", "LogSoftmax"},
      .infer = infer_softmax,
      .flops = softmax_flops,
      .run = run_in_float32<run_softmax>,
      .normal_form = softmax_normal_form,
      .attributes = {{"axis", int64_t{-1}}, {"coerced", int64_t{0}}},
      .modern_form = softmax_modern_form,
  };
}

}  // namespace opbench
