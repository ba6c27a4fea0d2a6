#include "kernels/space/space_builder.h"
#include "kernels/tasks/matrix_arguments.h"
#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/x86/x86_fallback.h"

namespace opbench {
namespace {

Result<ConfigSpace> dense_pack_x86_space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  builder.define_split("tile_y", matrix.rows, 3);
  builder.define_split("tile_x", matrix.columns, 3);
  builder.define_split("tile_k", matrix.depth, 2);
  builder.define_split(
      "tile_inner", matrix.rows,
      SplitOptions{.filter = [](const SplitSizes& sizes) { return sizes.back() <= 16; }});
  return std::move(builder).finish();
}

Result<double> dense_pack_x86_flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

Result<std::vector<KnobValue>> dense_pack_x86_fallback(const std::vector<Argument>& arguments,
                                                       const Target& target) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return dense_pack_fallback(matrix, target);
}

}  // namespace

TemplateDef dense_pack_x86_template() {
  return {.name = "dense_pack.x86",
          .space = dense_pack_x86_space,
          .flops = dense_pack_x86_flops,
          .fallback = dense_pack_x86_fallback};
}

}  // namespace opbench
