#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/library_space.h"

namespace opbench {

TemplateDef batch_matmul_mkl_x86_template() {
  return {.name = "batch_matmul_mkl.x86", .space = library_space, .flops = batch_matmul_flops};
}

}  // namespace opbench
