#include "kernels/tasks/template.h"

namespace opbench {

TemplateDef dense_mali_template();

/// The same space by another name.
TemplateDef dense_bifrost_template() {
  TemplateDef same = dense_mali_template();
  same.name = "dense.bifrost";
  return same;
}

}  // namespace opbench
