#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

/// TVM first defines the three with filters, of which that of tile_k leaves nothing (it asks for a
/// size[0], which is always -1), and then without.
Result<ConfigSpace> dense_large_batch_gpu_space(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_x", matrix.rows, 4);
  builder.define_split("tile_y", matrix.columns, 4);
  builder.define_split("tile_k", matrix.depth, 3);
  return std::move(builder).finish();
}

Result<double> dense_large_batch_gpu_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_large_batch_gpu_template() {
  return {.name = "dense_large_batch.gpu",
          .space = dense_large_batch_gpu_space,
          .flops = dense_large_batch_gpu_flops};
}

}  // namespace opbench
