#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> batch_matmul_cuda_space(const std::vector<Argument>& arguments,
                                            const Target& target) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 3);
  builder.define_split("tile_x", matrix.columns, 3);
  builder.define_split("tile_k", matrix.depth, 2);
  define_unrolling(builder, {8, 16, 32, 64}, target);
  return std::move(builder).finish();
}

Result<double> batch_matmul_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef batch_matmul_cuda_template() {
  return {.name = "batch_matmul.cuda",
          .space = batch_matmul_cuda_space,
          .flops = batch_matmul_cuda_flops};
}

}  // namespace opbench
