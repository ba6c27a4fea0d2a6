#include "model/operators/integers/integer_product.h"

#include <fmt/format.h>

#include "model/operators/quantised/quantization.h"

namespace opbench {

Result<Integers> parameter_strides(const OperatorCall& call, size_t index, const Shape& matrix,
                                   QuantizedLines lines) {
  if (!has_input(call, index)) return Integers(matrix.size(), 0);
  Shape shape = shape_of(call, index);
  if (element_count(shape) == 1 && shape.size() <= 1) return Integers(matrix.size(), 0);
  if (shape.size() == 1 && lines == QuantizedLines::kRows) shape.push_back(1);
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  const bool is_matrix = matrix.size() >= 2 && shape.size() >= 2 && shape.size() <= matrix.size();
  const size_t shared = shape.size() - (lines == QuantizedLines::kRows ? 1 : 2);
  if (is_matrix && shape[shared] == 1) {
    const auto together = broadcast(call, matrix, shape);
    if (together && *together == matrix) return broadcast_strides(shape, matrix);
  }
  return misfit(
      call, fmt::format("operand {} of shape {} does not fit the {} of {}", index,
                        shape_text(shape_of(call, index)),
                        lines == QuantizedLines::kRows ? "rows" : "columns", shape_text(matrix)));
}

Result<void> check_quantized(const OperatorCall& call, const QuantizedOperand& operand) {
  OPBENCH_CHECK(require_byte_integers(call, operand.index));
  OPBENCH_CHECK(
      parameter_strides(call, operand.zero_point, shape_of(call, operand.index), operand.lines));
  return require_zero_point(call, operand.zero_point, operand.index);
}

Result<std::vector<int32_t>> centred_matrix(const OperatorCall& call,
                                            std::span<const TensorView> inputs,
                                            const QuantizedOperand& operand) {
  OPBENCH_TRY(
      const Integers strides,
      parameter_strides(call, operand.zero_point, shape_of(call, operand.index), operand.lines));
  const bool has_point = has_input(call, operand.zero_point);
  return centred(call, inputs[operand.index], has_point ? inputs[operand.zero_point] : TensorView{},
                 strides);
}

std::vector<int64_t> integer_product(const int32_t* a, const int32_t* b, const BatchedProduct& p) {
  std::vector<int64_t> c(static_cast<size_t>(p.m * p.n));
  for (int64_t i = 0; i < p.m; ++i) {
    int64_t* row = c.data() + i * p.n;
    for (int64_t j = 0; j < p.k; ++j) {
      const int64_t factor = a[i * p.k + j];
      for (int64_t l = 0; l < p.n; ++l) row[l] += factor * b[j * p.n + l];
    }
  }
  return c;
}

}  // namespace opbench
