#include "kernels/tasks/matrix_arguments.h"

#include <algorithm>

#include "kernels/tasks/argument_reader.h"

namespace opbench {

Result<MatrixArguments> read_dense(const std::vector<Argument>& arguments) {
  MatrixArguments matrix;
  ArgumentReader reader(arguments);
  matrix.first = reader.tensor("data", {2}, &matrix.data_type);
  const auto weight = reader.tensor("weight", {2, 3, 4});
  matrix.rows = matrix.first[0];
  matrix.depth = matrix.first[1];
  matrix.columns = weight[0] * (weight.size() > 2 ? weight[2] : 1);
  while (!reader.is_at_end()) reader.skip();
  OPBENCH_CHECK(reader.finish());
  return matrix;
}

Result<MatrixArguments> read_batch_matmul(const std::vector<Argument>& arguments) {
  MatrixArguments matrix;
  ArgumentReader reader(arguments);
  matrix.first = reader.tensor("first", {3}, &matrix.data_type);
  const auto second = reader.tensor("second", {3});
  reader.skip();
  reader.skip();
  const bool transpose_first = reader.optional_flag("transpose_a");
  const bool transpose_second = reader.is_at_end() || reader.optional_flag("transpose_b");
  OPBENCH_CHECK(reader.finish());
  matrix.batch = std::max(matrix.first[0], second[0]);
  matrix.rows = matrix.first[transpose_first ? 2 : 1];
  matrix.depth = matrix.first[transpose_first ? 1 : 2];
  matrix.columns = second[transpose_second ? 1 : 2];
  return matrix;
}

double matrix_flops(const MatrixArguments& matrix) {
  return 2 * static_cast<double>(matrix.batch) * static_cast<double>(matrix.rows) *
         static_cast<double>(matrix.columns) * static_cast<double>(matrix.depth);
}

}  // namespace opbench
