#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/library_space.h"

namespace opbench {

TemplateDef add_vta_template() { return {.name = "add.vta", .space = library_space}; }

}  // namespace opbench
