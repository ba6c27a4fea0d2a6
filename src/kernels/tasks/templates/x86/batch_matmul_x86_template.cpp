#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/x86_fallback.h"

namespace opbench {
namespace {

/// Rows and depth are those of the first matrix as it stands, also where it is transposed.
Result<ConfigSpace> batch_matmul_x86_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.first[1], 2);
  builder.define_split("tile_x", matrix.columns, 2);
  builder.define_split("tile_k", matrix.first[2], 2);
  return std::move(builder).finish();
}

Result<double> batch_matmul_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return matrix_flops(matrix);
}

Result<std::vector<KnobValue>> batch_matmul_x86_fallback(const std::vector<Argument>& arguments,
                                                         const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_batch_matmul(arguments));
  return batch_matmul_fallback(matrix);
}

}  // namespace

TemplateDef batch_matmul_x86_template() {
  return {.name = "batch_matmul.x86",
          .space = batch_matmul_x86_space,
          .flops = batch_matmul_x86_flops,
          .fallback = batch_matmul_x86_fallback};
}

}  // namespace opbench
