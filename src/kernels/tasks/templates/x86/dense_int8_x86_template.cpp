#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

/// Of TVM 0.14, on targets with dot products of bytes.
Result<ConfigSpace> dense_int8_x86_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 2);
  return std::move(builder).finish();
}

Result<double> dense_int8_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_int8_x86_template() {
  return {.name = "dense_int8.x86", .space = dense_int8_x86_space, .flops = dense_int8_x86_flops};
}

}  // namespace opbench
