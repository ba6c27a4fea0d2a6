#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/cuda/tensor_core_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> dense_tensorcore_cuda_space(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_tensor_core_space(matrix);
}

Result<double> dense_tensorcore_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_tensorcore_cuda_template() {
  return {.name = "dense_tensorcore.cuda",
          .space = dense_tensorcore_cuda_space,
          .flops = dense_tensorcore_cuda_flops};
}

}  // namespace opbench
