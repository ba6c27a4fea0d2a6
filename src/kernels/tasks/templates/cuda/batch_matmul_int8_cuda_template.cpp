#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> batch_matmul_int8_cuda_space(const std::vector<Argument>& arguments,
                                                 const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_f", matrix.batch, 4);
  builder.define_split("tile_m", matrix.rows, 4);
  builder.define_split("tile_n", matrix.columns, 4);
  const int64_t chunk = matrix.depth % 16 == 0 ? 16 : 4;
  builder.define_split("tile_k", matrix.depth / chunk, 2);
  define_unroll_steps(builder, {0, 256, 512, 1024});
  return std::move(builder).finish();
}

Result<double> batch_matmul_int8_cuda_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef batch_matmul_int8_cuda_template() {
  return {.name = "batch_matmul_int8.cuda",
          .space = batch_matmul_int8_cuda_space,
          .flops = batch_matmul_int8_cuda_flops};
}

}  // namespace opbench
