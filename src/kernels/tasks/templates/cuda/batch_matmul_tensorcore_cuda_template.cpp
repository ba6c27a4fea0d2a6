#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> batch_matmul_tensorcore_cuda_space(const std::vector<Argument>& arguments,
                                                       const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_tensor_core_space(matrix);
}

Result<double> batch_matmul_tensorcore_cuda_flops(const std::vector<Argument>& arguments,
                                                  const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef batch_matmul_tensorcore_cuda_template() {
  return {.name = "batch_matmul_tensorcore.cuda",
          .space = batch_matmul_tensorcore_cuda_space,
          .flops = batch_matmul_tensorcore_cuda_flops};
}

}  // namespace opbench
