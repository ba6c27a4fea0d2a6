#include "kernels/schedules/convolution/run_shape.h"

#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

RunAxis run_shape_axis_of(const ConvGeometry& g, size_t d) {
  return {narrow(g.kernel[d]), narrow(g.stride[d]), narrow(g.dilation[d]),
          narrow(g.pad[d]),    narrow(g.extent[d]), narrow(g.output[g.output.size() - 1 - d])};
}

}  // namespace

RunShape run_shape(const ConvGeometry& g) {
  RunShape shape{{}, narrow(g.groups), narrow(g.group_in()), narrow(g.group_out())};
  for (size_t d = 0; d < g.kernel.size(); ++d) shape.axes.push_back(run_shape_axis_of(g, d));
  return shape;
}

}  // namespace opbench
