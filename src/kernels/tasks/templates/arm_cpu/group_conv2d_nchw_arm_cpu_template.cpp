#include "kernels/tasks/template.h"

namespace opbench {

TemplateDef group_conv2d_nchw_x86_template();

/// The same space by another name.
TemplateDef group_conv2d_nchw_arm_cpu_template() {
  TemplateDef same = group_conv2d_nchw_x86_template();
  same.name = "group_conv2d_nchw.arm_cpu";
  return same;
}

}  // namespace opbench
