#include "tasks/library_space.h"
#include "tasks/template.h"

namespace opbench {

TemplateDef add_vta_template() { return {.name = "add.vta", .space = library_space}; }

}  // namespace opbench
