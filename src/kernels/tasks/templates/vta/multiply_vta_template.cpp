#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/library_space.h"

namespace opbench {

TemplateDef multiply_vta_template() { return {.name = "multiply.vta", .space = library_space}; }

}  // namespace opbench
