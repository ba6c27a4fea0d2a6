#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> dense_int8_cuda_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 4);
  builder.define_split("tile_x", matrix.columns, 4);
  const int64_t chunk = matrix.depth % 16 == 0 ? 16 : 4;
  builder.define_split("tile_k", matrix.depth / chunk, 2);
  define_unroll_steps(builder, {0, 512, 1500});
  return std::move(builder).finish();
}

Result<double> dense_int8_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_int8_cuda_template() {
  return {
      .name = "dense_int8.cuda", .space = dense_int8_cuda_space, .flops = dense_int8_cuda_flops};
}

}  // namespace opbench
