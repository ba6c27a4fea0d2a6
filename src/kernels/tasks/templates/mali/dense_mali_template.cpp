#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

Result<ConfigSpace> dense_mali_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 3);
  builder.define_split("tile_x", matrix.columns, 3);
  builder.define_split("c_unroll", matrix.depth, SplitOptions{.max_factor = 64});
  return std::move(builder).finish();
}

Result<double> dense_mali_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_mali_template() {
  return {.name = "dense.mali", .space = dense_mali_space, .flops = dense_mali_flops};
}

}  // namespace opbench
