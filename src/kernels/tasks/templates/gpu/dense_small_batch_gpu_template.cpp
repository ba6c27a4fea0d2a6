#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

Result<ConfigSpace> dense_small_batch_gpu_space(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_k", matrix.depth, 2);
  return std::move(builder).finish();
}

Result<double> dense_small_batch_gpu_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_small_batch_gpu_template() {
  return {.name = "dense_small_batch.gpu",
          .space = dense_small_batch_gpu_space,
          .flops = dense_small_batch_gpu_flops};
}

}  // namespace opbench
