#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/library_space.h"

namespace opbench {

TemplateDef dense_cblas_x86_template() {
  return {.name = "dense_cblas.x86", .space = library_space, .flops = dense_flops};
}

}  // namespace opbench
