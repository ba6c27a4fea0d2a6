#include "engines/onednn/deconvolution.h"

#include <functional>
#include <numeric>

#include "model/operators/windows/window.h"

namespace opbench {
namespace {

using dnnl::memory;
using DeconvolutionDims = memory::dims;

/// Filters as oneDNN counts them, [groups,] outputs, inputs, taps, in ONNX's order of memory:
/// inputs of all groups, outputs of one, taps.
memory::desc filter_layout(const DeconvolutionDims& onnx, int64_t groups) {
  const int64_t taps = std::accumulate(onnx.begin() + 2, onnx.end(), int64_t{1}, std::multiplies());
  const int64_t inputs = onnx[0] / groups;
  DeconvolutionDims dims{onnx[1], inputs};
  DeconvolutionDims strides{taps, onnx[1] * taps};
  if (groups > 1) {
    dims.insert(dims.begin(), groups);
    strides.insert(strides.begin(), inputs * onnx[1] * taps);
  }
  int64_t stride = taps;
  for (size_t i = 2; i < onnx.size(); ++i) {
    stride /= onnx[i];
    dims.push_back(onnx[i]);
    strides.push_back(stride);
  }
  return {dims, memory::data_type::f32, strides};
}

}  // namespace

void add_deconvolution(Plan& plan) {
  using Deconvolution = dnnl::deconvolution_forward;
  const Shape in = spatial_extents(plan.dims(0));
  const auto window = unresolved_window(plan.call, in, spatial_extents(plan.dims(1)));
  const Shape out = spatial_extents(plan.output);
  DeconvolutionDims strides, dilations, begin, end;
  for (size_t i = 0; i < in.size(); ++i) {
    const WindowAxis& axis = (*window)[i];
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation - 1);
    begin.push_back(axis.pad_begin);
    end.push_back((in[i] - 1) * axis.stride + axis.reach() - out[i] - axis.pad_begin);
  }
  const auto filters = filter_layout(plan.dims(1), int_attribute(plan.node, "group", 1));
  const bool has_bias = plan.node.inputs.size() > 2 && !plan.node.inputs[2].empty();
  const auto bias = has_bias ? row_major(plan.dims(2)) : memory::desc();
  const auto arguments = [&](const Deconvolution::primitive_desc& made) {
    std::vector<PrimitiveArgument> list = {
        {DNNL_ARG_SRC, plan.node.inputs[0], row_major(plan.dims(0)), made.src_desc()},
        {DNNL_ARG_WEIGHTS, plan.node.inputs[1], filters, made.weights_desc()}};
    if (has_bias) list.push_back({DNNL_ARG_BIAS, plan.node.inputs[2], bias, made.bias_desc()});
    return list;
  };
  try {
    const Deconvolution::desc desc(dnnl::prop_kind::forward_inference,
                                   dnnl::algorithm::deconvolution_direct, any_layout(plan.dims(0)),
                                   any_layout(filters.dims()), bias, any_layout(plan.output),
                                   strides, dilations, begin, end);
    try_candidate<Deconvolution>(plan, desc, "deconvolution", arguments);
  } catch (const dnnl::error& error) {
    plan.refusal = error.message;
  }
}

}  // namespace opbench
