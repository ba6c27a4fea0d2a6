#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/gpu/gpu_knobs.h"

namespace opbench {
namespace {

/// Of TVM 0.14, on targets with dot products of bytes.
Result<ConfigSpace> batch_matmul_int8_x86_space(const std::vector<Argument>& arguments,
                                                const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 2);
  define_switch(builder, "layout_trans_compute_root");
  return std::move(builder).finish();
}

Result<double> batch_matmul_int8_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef batch_matmul_int8_x86_template() {
  return {.name = "batch_matmul_int8.x86",
          .space = batch_matmul_int8_x86_space,
          .flops = batch_matmul_int8_x86_flops};
}

}  // namespace opbench
