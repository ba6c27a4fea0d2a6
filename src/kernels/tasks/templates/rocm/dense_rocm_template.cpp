#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/library_space.h"

namespace opbench {

TemplateDef dense_rocm_template() {
  return {.name = "dense.rocm", .space = library_space, .flops = dense_flops};
}

}  // namespace opbench
