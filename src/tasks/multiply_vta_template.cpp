#include "tasks/library_space.h"
#include "tasks/template.h"

namespace opbench {

TemplateDef multiply_vta_template() { return {.name = "multiply.vta", .space = library_space}; }

}  // namespace opbench
