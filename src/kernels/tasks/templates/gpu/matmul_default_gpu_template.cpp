#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

Result<ConfigSpace> matmul_default_gpu_space(const std::vector<Argument>& arguments,
                                             const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_k", matrix.depth, 2);
  return std::move(builder).finish();
}

Result<double> matmul_default_gpu_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef matmul_default_gpu_template() {
  return {.name = "matmul_default.gpu",
          .space = matmul_default_gpu_space,
          .flops = matmul_default_gpu_flops};
}

}  // namespace opbench
