#include "kernels/schedules/convolution/convolution_parts.h"

#include <halide14/Halide.h>

#include "base/numbers/divisors.h"

namespace opbench {

bool is_blocked_pointwise(const KernelSpec& spec, const ConvolutionShape& shape) {
  const int64_t block = float_lanes(spec.target);
  return shape.is_pointwise() && spec.output_layout().block == block &&
         input_layout(spec).block == block && can_epilogue(spec);
}

Halide::Expr bias_value(const KernelSpec& spec, KernelBuilder& builder, const Halide::Expr& ci,
                        const Halide::Expr& co) {
  const Node& node = spec.workload.graph.nodes[0];
  if (node.inputs.size() < 3 || node.inputs[2].empty()) return 0.0f;
  const int block = static_cast<int>(spec.output_layout().block);
  if (const auto index = input_index(spec.workload, 0, 2)) {
    const int64_t channels = type_of(spec.workload, node.inputs[2]).shape[0];
    return builder.packed(*index, {block, ceil_div(channels, block)})(ci, co);
  }
  const auto values = spec.workload.graph.constants.at(node.inputs[2]).as<float>();
  return Halide::mux(ci + co * block, std::vector<Halide::Expr>(values.begin(), values.end()));
}

Result<Tensor> pack_convolution(const KernelSpec& spec, size_t index, const Tensor& weight,
                                Tensor (*pack_weights)(const KernelSpec&, const Tensor&)) {
  if (index == input_index(spec.workload, 0, 1)) return pack_weights(spec, weight);
  if (index == input_index(spec.workload, 0, 2))
    return pack_bias(weight, spec.output_layout().block);
  return pack_epilogue_weight(spec, index, weight);
}

}  // namespace opbench
