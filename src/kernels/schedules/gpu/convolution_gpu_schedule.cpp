#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/convolution/plain_product.h"
#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/gpu/gpu_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

constexpr const char* kTilePixels = "tile_x";
constexpr const char* kTileChannels = "tile_c";
constexpr int64_t kMostUnrolledTaps = 4;

/// A product of two matrices, when it is one, has its pixels in one row.
ConvGeometry gpu_geometry(const KernelSpec& spec) {
  ConvGeometry g = *conv_geometry(spec.workload);
  const auto are_all = [](const std::vector<int64_t>& values, int64_t value) {
    return std::ranges::count(values, value) == std::ssize(values);
  };
  const std::vector<int64_t> image(g.output.rbegin(), g.output.rend() - 2);
  const bool is_pointwise =
      are_all(g.kernel, 1) && are_all(g.stride, 1) && are_all(g.pad, 0) && image == g.extent;
  if (!is_pointwise) return g;
  const int64_t pixels = product(g.output, 2, g.output.size());
  g.kernel = g.stride = g.dilation = {1};
  g.pad = {0};
  g.extent = {pixels};
  g.output = {g.output[0], g.output[1], pixels};
  return g;
}

/// Channels of a tile: of one group where there are several, so that they read the same inputs.
int64_t default_channels(const ConvGeometry& g) {
  int64_t channels = std::min<int64_t>(4, g.group_out());
  while (g.groups > 1 && g.group_out() % channels != 0) --channels;
  return channels;
}

/// Weights as they stand are those of the anchor alone.
bool has_weights_of_its_own(const KernelSpec& spec) {
  const std::optional<size_t> index = input_index(spec.workload, 0, 1);
  return index && spec.workload.is_weight(spec.workload.graph.inputs[*index].name);
}

std::optional<Config> convolution_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !conv_geometry(spec.workload) || !can_epilogue(spec)) {
    return std::nullopt;
  }
  if (!input_index(spec.workload, 0, 0)) return std::nullopt;
  const ConvGeometry g = gpu_geometry(spec);
  return Config{{kGroupKnob, default_group(spec.target)},
                {kTilePixels, std::min<int64_t>(4, g.output.back())},
                {kTileChannels, default_channels(g)}};
}

std::vector<KnobRange> convolution_gpu_knobs(const KernelSpec& spec) {
  const ConvGeometry g = gpu_geometry(spec);
  return {group_range(spec.target),
          tile_range(kTilePixels, g.output.back(), std::min<int64_t>(4, g.output.back())),
          tile_range(kTileChannels, g.output[1], default_channels(g))};
}

Result<void> check_convolution_gpu(const KernelSpec& spec) {
  const ConvGeometry g = gpu_geometry(spec);
  OPBENCH_CHECK(check_group(spec));
  return check_tile_of_thread(spec.config, {kTilePixels, g.output.back(), "the outputs of a row"},
                              {kTileChannels, g.output[1], "the output channels"});
}

/// Weights with the output channels innermost: w[i, ky, kx, o].
Result<Tensor> pack_convolution_gpu(const KernelSpec& spec, size_t index, const Tensor& weight) {
  if (index != input_index(spec.workload, 0, 1)) return pack_conv_operand(spec, index, weight);
  const Shape& shape = weight.type.shape;
  const int64_t channels = shape[0], inner = element_count(shape) / shape[0];
  Tensor packed = Tensor::empty({DataType::kFloat32, {inner, channels}});
  const auto from = weight.as<float>();
  const auto to = packed.as<float>();
  for (int64_t o = 0; o < channels; ++o)
    for (int64_t i = 0; i < inner; ++i)
      to[static_cast<size_t>(i * channels + o)] = from[static_cast<size_t>(o * inner + i)];
  return packed;
}

ProductOperands gpu_operands(const KernelSpec& spec, KernelBuilder& builder,
                             const ConvGeometry& g) {
  const size_t rank = g.input.size() - 2;
  ProductOperands operands;
  operands.data = [&spec, &builder, rank](std::vector<Expr> at) {
    while (at.size() < rank + 2) at.insert(at.begin() + 1, Expr(0));
    return conv_operand(spec, builder, 0, at);
  };
  if (has_weights_of_its_own(spec)) {
    std::vector<int64_t> extents = {g.weight[0]};
    extents.insert(extents.end(), g.kernel.begin(), g.kernel.end());
    extents.push_back(g.group_in());
    const Func weights = builder.packed(*input_index(spec.workload, 0, 1), extents);
    operands.weight = [weights](std::vector<Expr> at) {
      std::rotate(at.begin(), at.end() - 1, at.end());
      return Expr(weights(at));
    };
  } else {
    operands.weight = [&spec, &builder, rank](std::vector<Expr> at) {
      while (at.size() < rank + 2) at.insert(at.begin() + 1, Expr(0));
      return conv_operand(spec, builder, 1, at);
    };
  }
  const Node& node = spec.workload.graph.nodes[0];
  if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
    operands.bias = [&spec, &builder](const std::vector<Expr>& at) {
      return conv_operand(spec, builder, 2, at);
    };
  }
  return operands;
}

/// Where the output's element at `vars` lies among its own dimensions.
std::vector<Expr> output_position(const KernelSpec& spec, const std::vector<Var>& vars) {
  const Shape& shape = output_type(spec.workload).shape;
  if (vars.size() == shape.size()) return {vars.begin(), vars.end()};
  std::vector<Expr> position = unflatten(vars[0], shape, 2, shape.size());
  position.insert(position.end(), vars.end() - 2, vars.end());
  return position;
}

Func build_convolution_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvGeometry g = gpu_geometry(spec);
  const std::vector<Var> v = spatial_vars(g);
  RDom r;
  Func product = define_plain_product(g, v, r, gpu_operands(spec, builder, g));
  Func out("out");
  out(v) = builder.epilogue(product(v), output_position(spec, v));
  std::vector<int64_t> extents(g.output.rbegin(), g.output.rend());
  builder.set_output_extents(extents);
  const Var x = v[0], c = v[v.size() - 2];
  const ThreadTile tile{.pixels = spec.config.at(kTilePixels),
                        .channels = spec.config.at(kTileChannels)};
  spread_tiles(out, product, {0, v.size() - 2}, extents, tile, spec.config);
  std::vector<Halide::VarOrRVar> order = {x, c};
  for (int d = 0; d <= g.rank(); ++d) order.emplace_back(r[d]);
  product.update().reorder(order);
  if (g.kernel[0] > 1 && g.kernel[0] <= kMostUnrolledTaps) product.update().unroll(r[0]);
  return out;
}

}  // namespace

ScheduleDef convolution_gpu_schedule() {
  return {.name = "convolution_gpu",
          .summary = "convolution of any rank and grouping, a tile of outputs a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = convolution_gpu_default_config,
          .knobs = convolution_gpu_knobs,
          .priority = 5,
          .pack = pack_convolution_gpu,
          .check_config = check_convolution_gpu,
          .build = build_convolution_gpu};
}

}  // namespace opbench
