#include "kernels/tasks/templates/library_space.h"

#include "kernels/tasks/matrix_arguments.h"

namespace opbench {

Result<ConfigSpace> library_space(const std::vector<Argument>&, const Target&) {
  return ConfigSpace{};
}

Result<double> dense_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

Result<double> batch_matmul_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_flops(matrix);
}

}  // namespace opbench
