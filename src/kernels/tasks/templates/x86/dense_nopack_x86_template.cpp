#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/x86_fallback.h"

namespace opbench {
namespace {

Result<ConfigSpace> dense_nopack_x86_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 2);
  builder.define_split("tile_x", matrix.columns, 2);
  builder.define_split("tile_k", matrix.depth, 2);
  return std::move(builder).finish();
}

/// The sums over tiles of the depth are a stage of their own, whose one addition counts too.
Result<double> dense_nopack_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix) +
         static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns);
}

Result<std::vector<KnobValue>> dense_nopack_x86_fallback(const std::vector<Argument>& arguments,
                                                         const Target& target) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return dense_nopack_fallback(matrix, target);
}

}  // namespace

TemplateDef dense_nopack_x86_template() {
  return {.name = "dense_nopack.x86",
          .space = dense_nopack_x86_space,
          .flops = dense_nopack_x86_flops,
          .fallback = dense_nopack_x86_fallback};
}

}  // namespace opbench
