#include "tasks/library_space.h"
#include "tasks/template.h"

namespace opbench {

TemplateDef dense_rocm_template() {
  return {.name = "dense.rocm", .space = library_space, .flops = dense_flops};
}

}  // namespace opbench
