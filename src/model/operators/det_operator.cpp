#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_det(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, 0, 2, 16));
  Shape shape = shape_of(call, 0);
  if (shape.back() != shape[shape.size() - 2]) {
    return misfit(call, fmt::format("matrices of {} are not square", shape_text(shape)));
  }
  shape.resize(shape.size() - 2);
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

/// Elimination: n (n - 1) (2 n - 1) / 6 multiply-adds for a matrix of n rows.
double det_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const auto n = static_cast<double>(shape_of(call, 0).back());
  return static_cast<double>(outputs[0].size()) * n * (n - 1) * (2 * n - 1) / 3;
}

/// By Gaussian elimination with the largest pivot of each column; `a` has n rows and is spent.
double determinant(std::vector<double>& a, size_t n) {
  double product = 1;
  for (size_t column = 0; column < n; ++column) {
    size_t pivot = column;
    for (size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row * n + column]) > std::abs(a[pivot * n + column])) pivot = row;
    }
    const double head = a[pivot * n + column];
    if (head == 0) return 0;
    if (pivot != column) {
      std::swap_ranges(&a[pivot * n], &a[pivot * n] + n, &a[column * n]);
      product = -product;
    }
    product *= head;
    for (size_t row = column + 1; row < n; ++row) {
      const double factor = a[row * n + column] / head;
      for (size_t i = column; i < n; ++i) a[row * n + i] -= factor * a[column * n + i];
    }
  }
  return product;
}

Result<void> run_det(const OperatorCall& call, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) {
  const auto n = static_cast<size_t>(inputs[0].type.shape.back());
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto x = inputs[0].as<T>();
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) {
      const auto matrix = x.subspan(i * n * n, n * n);
      std::vector<double> a(matrix.size());
      std::ranges::transform(matrix, a.begin(), [](T value) { return static_cast<double>(value); });
      y[i] = static_cast<T>(determinant(a, n));
    }
  });
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__Det.html
OperatorDef det_operator() {
  return {
      .name = "det",
      .summary = "Determinants of square matrices",
      .onnx_types = {"Det"},
      .infer = infer_det,
      .flops = det_flops,
      .run = run_det,
  };
}

}  // namespace opbench
