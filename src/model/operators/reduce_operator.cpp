#include <algorithm>
#include <cmath>
#include <limits>

#include "model/operators/element_type.h"
#include "model/operators/strided.h"

namespace opbench {
namespace {

/// A reduction as a running value: where it starts, how an element enters, what becomes of it.
struct ReduceRow {
  const char* type;
  double start;
  double (*enter)(double so_far, double x);
  double (*leave)(double so_far, double count);
};

double keep(double value, double) { return value; }
double add_reduce(double a, double x) { return a + x; }
/// log(exp(a) + exp(x)), which overflows nowhere. Equal infinities have no difference.
double add_exponentials(double a, double x) {
  if (a == x) return a + std::log(2.0);
  return std::max(a, x) + std::log1p(std::exp(-std::abs(a - x)));
}
double add_square(double a, double x) { return a + x * x; }

const std::vector<ReduceRow>& reduce_rows() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static const std::vector<ReduceRow> kTable = {
      {"ReduceL1", 0, [](double a, double x) { return a + std::abs(x); }, keep},
      {"ReduceL2", 0, add_square, [](double a, double) { return std::sqrt(a); }},
      {"ReduceLogSum", 0, add_reduce, [](double a, double) { return std::log(a); }},
      {"ReduceLogSumExp", -kInfinity, add_exponentials, keep},
      {"ReduceMax", -kInfinity, [](double a, double x) { return std::max(a, x); }, keep},
      {"ReduceMean", 0, add_reduce, [](double a, double count) { return a / count; }},
      {"ReduceMin", kInfinity, [](double a, double x) { return std::min(a, x); }, keep},
      {"ReduceProd", 1, [](double a, double x) { return a * x; }, keep},
      {"ReduceSum", 0, add_reduce, keep},
      {"ReduceSumSquare", 0, add_square, keep},
  };
  return kTable;
}

const ReduceRow& reduce_row_of(const OperatorCall& call) {
  return *std::ranges::find_if(reduce_rows(),
                               [&](const ReduceRow& row) { return row.type == call.node->type; });
}

/// For every dimension whether it is summed over: all of them when none is named.
Result<std::vector<bool>> reduced(const OperatorCall& call) {
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 1));
  const bool is_nothing =
      (!axes || axes->empty()) && int_attribute(*call.node, "noop_with_empty_axes", 0) != 0;
  const bool is_all = (!axes || axes->empty()) && !is_nothing;
  std::vector<bool> result(static_cast<size_t>(rank_of(call, 0)), is_all);
  if (!axes) return result;
  for (const int64_t wanted : *axes) {
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    result[static_cast<size_t>(axis)] = true;
  }
  return result;
}

Result<std::vector<TensorType>> infer_reduce(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 2));
  OPBENCH_TRY(const auto is_reduced, reduced(call));
  const bool keeps = int_attribute(*call.node, "keepdims", 1) != 0;
  Shape shape;
  for (size_t i = 0; i < is_reduced.size(); ++i) {
    if (!is_reduced[i]) {
      shape.push_back(shape_of(call, 0)[i]);
    } else if (keeps) {
      shape.push_back(1);
    }
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// One for every element that enters.
double reduce_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  return static_cast<double>(call.inputs[0]->size());
}

Result<void> run_reduce(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const auto is_reduced, reduced(call));
  const ReduceRow& row = reduce_row_of(call);
  Shape kept = inputs[0].type.shape;
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = is_reduced[i] ? 1 : kept[i];
  const Integers strides = broadcast_strides(kept, inputs[0].type.shape);
  const int64_t step = last_stride(strides);
  std::vector<double> values(static_cast<size_t>(element_count(kept)), row.start);
  const double count = static_cast<double>(inputs[0].type.size()) /
                       static_cast<double>(std::max<size_t>(values.size(), 1));
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    for_each_row<1>(inputs[0].type.shape, {strides}, [&](int64_t first, auto at, int64_t length) {
      for (int64_t i = 0; i < length; ++i) {
        double& value = values[at[0] + i * step];
        value = row.enter(value, static_cast<double>(x[first + i]));
      }
    });
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(row.leave(values[i], count));
  });
}

/// Opset 17 has the axes of ReduceSum as an input and those of the others as an attribute.
Node reduce_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  if (node.type == "ReduceSum") {
    move_to_input(call, node, "axes", 1, constants);
    return node;
  }
  const auto is_reduced = reduced(call);
  if (!is_reduced || !has_input(call, 1)) return node;
  Integers axes;
  for (size_t i = 0; i < is_reduced->size(); ++i) {
    if ((*is_reduced)[i]) axes.push_back(static_cast<int64_t>(i));
  }
  node.attributes["axes"] = axes;
  node.attributes.erase("noop_with_empty_axes");
  node.inputs.resize(1);
  return node;
}

std::vector<std::string> reduce_types() {
  std::vector<std::string> result;
  for (const ReduceRow& row : reduce_rows()) result.emplace_back(row.type);
  return result;
}

}  // namespace

OperatorDef reduce_operator() {
  return {
      .name = "reduce",
      .summary = "Sums, means, extremes, products, norms along axes",
      .onnx_types = reduce_types(),
      .infer = infer_reduce,
      .flops = reduce_flops,
      .run = run_reduce,
      .attributes = {{"axes", Integers{}},
                     {"keepdims", int64_t{1}},
                     {"noop_with_empty_axes", int64_t{0}}},
      .parameters = {1},
      .domains = {{"ReduceLogSum", 0, {0.1F, 2}}},
      .modern_form = reduce_modern_form,
  };
}

}  // namespace opbench
