#include "opbench/space/space_builder.h"
#include "opbench/tasks/matrix_arguments.h"
#include "opbench/tasks/template.h"
#include "opbench/tasks/tensor_core_knobs.h"

namespace opbench {
namespace {

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  SpaceBuilder builder;
  define_warp_tiles(builder, {1, 2, 4});
  builder.define_option("chunk", {1, 2, 4, 8});
  builder.define_option("offset", {0, 8});
  builder.define_option("offsetCS", {0, 8});
  builder.define_option("vec", {1, 2, 4, 8});
  define_fragment(builder, dense_fragments(matrix.rows, matrix.columns));
  return std::move(builder).finish();
}

Result<double> flops(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const MatrixArguments matrix, read_dense(arguments));
  return matrix_flops(matrix);
}

}  // namespace

TemplateDef dense_tensorcore_cuda_template() {
  return {.name = "dense_tensorcore.cuda", .space = space, .flops = flops};
}

}  // namespace opbench
