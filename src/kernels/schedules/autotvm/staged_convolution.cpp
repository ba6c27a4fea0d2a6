#include "kernels/schedules/autotvm/staged_convolution.h"

#include <halide14/Halide.h>

#include "kernels/schedules/autotvm/gpu_convolution.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_operand.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::Var;

/// Floats of the input and of the filters.
struct StagedFloats {
  int64_t data = 0;
  int64_t filters = 0;
};

StagedFloats staged_floats(const ConvolutionShape& s, const ConvolutionSlice& slice, int64_t x,
                           int64_t y, int64_t f) {
  return {.data = slice.c * input_span(y, s.stride_h, slice.ry, s.dilation_h) *
                  input_span(x, s.stride_w, slice.rx, s.dilation_w),
          .filters = f * slice.c * slice.ry * slice.rx};
}

}  // namespace

int64_t staged_bytes(const ConvolutionShape& shape, const std::vector<GpuAxis>& axes,
                     const ConvolutionSlice& slice) {
  const StagedFloats floats =
      staged_floats(shape, slice, axes[0].tile(), axes[1].tile(), axes[2].tile());
  return (floats.data + floats.filters) * static_cast<int64_t>(sizeof(float));
}

Func build_staged_convolution(const KernelSpec& spec, KernelBuilder& builder,
                              const ConvolutionShape& shape, const std::vector<GpuAxis>& axes,
                              const ConvolutionSlice& slice, int64_t most_unrolled) {
  const Var x("x"), y("y"), f("f"), n("n"), c("c"), u("u"), v("v");
  Func data("data"), filters("filters"), sum("sum"), out("out");
  data(x, y, c, n) = padded_pixel(spec, builder, shape, x, y, c, n);
  filters(u, v, c, f) = operand_value(spec, builder, 1, {u, v, c, f});
  const Halide::Region taps = {
      {0, narrow(shape.kernel_w)}, {0, narrow(shape.kernel_h)}, {0, narrow(shape.channels)}};
  const Halide::RDom r(taps, "r");
  sum(x, y, f, n) = 0.0f;
  sum(x, y, f, n) += data(x * narrow(shape.stride_w) + r.x * narrow(shape.dilation_w),
                          y * narrow(shape.stride_h) + r.y * narrow(shape.dilation_h), r.z, n) *
                     filters(r.x, r.y, r.z, f);
  out(x, y, f, n) = finished_pixel(spec, builder, sum(x, y, f, n), {x, y, f, n});

  schedule_blocks(out, axes, "n");
  const Halide::RVar slices =
      schedule_sums(sum, out, axes, {{"rx", {slice.rx}}, {"ry", {slice.ry}}, {"rc", {slice.c}}},
                    {r.x, r.y, r.z}, most_unrolled);
  const StagedFloats floats =
      staged_floats(shape, slice, axes[0].part(), axes[1].part(), axes[2].part());
  data.compute_at(sum, slices);
  filters.compute_at(sum, slices);
  stage_in_runs(data, {x, y, c, n}, floats.data, axes);
  stage_in_runs(filters, {u, v, c, f}, floats.filters, axes);
  return out;
}

}  // namespace opbench
