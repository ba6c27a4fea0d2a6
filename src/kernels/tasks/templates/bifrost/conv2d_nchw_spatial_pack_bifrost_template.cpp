#include "kernels/tasks/template.h"

namespace opbench {

TemplateDef conv2d_nchw_spatial_pack_mali_template();

/// The same space by another name.
TemplateDef conv2d_nchw_spatial_pack_bifrost_template() {
  TemplateDef same = conv2d_nchw_spatial_pack_mali_template();
  same.name = "conv2d_nchw_spatial_pack.bifrost";
  return same;
}

}  // namespace opbench
