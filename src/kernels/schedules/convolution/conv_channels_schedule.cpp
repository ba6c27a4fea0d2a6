#include <halide14/Halide.h>

#include <algorithm>
#include <array>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/tile_estimate.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

// Lanes are output channels: a tile of outputs along x and y by vectors of channels stays in
// registers over all taps, of which every one adds a broadcast element of the input times vectors
// of filters. Nothing is computed between rows, where conv_rows computes what the reach of the
// filter and the padding take from a row.

constexpr const char* kTileX = "tile_x";
constexpr const char* kTileY = "tile_y";
constexpr const char* kConvChannelsVectors = "vectors";
constexpr int64_t kMostTile = 14, kMostVectors = 4;

/// Sums of fewer products do not pay for turning the tile round at the end.
constexpr int64_t kLeastDepth = 64;

struct Shape3 {
  ConvGeometry geometry;
  std::array<int64_t, 3> kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, pad{0, 0, 0};
  std::array<int64_t, 3> extent{1, 1, 1}, outputs{1, 1, 1};  ///< innermost first

  int64_t depth() const { return kernel[0] * kernel[1] * kernel[2] * geometry.group_in(); }
  int64_t vectors(int lanes) const { return ceil_div(geometry.group_out(), int64_t{lanes}); }
  /// True if some tap of some output lies outside the input.
  bool has_padding() const {
    for (size_t d = 0; d < 3; ++d) {
      const int64_t last = (outputs[d] - 1) * stride[d] + (kernel[d] - 1) * dilation[d] - pad[d];
      if (pad[d] > 0 || last >= extent[d]) return true;
    }
    return false;
  }
  /// About what conv_rows computes, over the outputs that there are.
  double rows_waste(int lanes) const {
    int64_t run = 1, step = 1, count = 1;
    for (size_t d = 0; d < 3; ++d) {
      run += (outputs[d] - 1) * step;
      step *= std::max(outputs[d], ceil_div(extent[d] + pad[d], stride[d]));
      count *= outputs[d];
    }
    return static_cast<double>(ceil_div(run, int64_t{lanes}) * lanes) / static_cast<double>(count);
  }
  double channels_waste(int lanes) const {
    return static_cast<double>(vectors(lanes) * lanes) / static_cast<double>(geometry.group_out());
  }
};

std::optional<Shape3> conv_channels_shape_of(const KernelSpec& spec) {
  const std::optional<ConvGeometry> geometry = conv_geometry(spec.workload);
  if (!geometry || !spec.workload.is_weight(spec.workload.graph.nodes[0].inputs[1]))
    return std::nullopt;
  Shape3 shape{.geometry = *geometry};
  for (size_t d = 0; d < geometry->kernel.size(); ++d) {
    shape.kernel[d] = geometry->kernel[d];
    shape.stride[d] = geometry->stride[d];
    shape.dilation[d] = geometry->dilation[d];
    shape.pad[d] = geometry->pad[d];
    shape.extent[d] = geometry->extent[d];
    shape.outputs[d] = geometry->output[geometry->output.size() - 1 - d];
  }
  return shape;
}

/// Cycles for all outputs of a channel's vectors with a tile, in tiles that may overlap.
double cycles_of(const Shape3& shape, int64_t x, int64_t y, int64_t vectors, const Target& target) {
  const int lanes = float_lanes(target);
  const int64_t tiles = ceil_div(shape.outputs[0], x) * ceil_div(shape.outputs[1], y) *
                        ceil_div(shape.vectors(lanes), vectors);
  return static_cast<double>(tiles) *
         step_cycles({.pixels = x * y, .vectors = vectors}, sum_registers(target));
}

Config conv_channels_rule_for(const Shape3& shape, const Target& target) {
  Config best;
  double least = 0;
  const int64_t most = sum_registers(target);
  for (int64_t vectors = 1; vectors <= std::min(kMostVectors, shape.vectors(float_lanes(target)));
       ++vectors)
    for (int64_t x = 1; x <= std::min(kMostTile, shape.outputs[0]); ++x)
      for (int64_t y = 1; y <= std::min(kMostTile, shape.outputs[1]); ++y) {
        if (x * y * vectors > most) break;
        const double cycles = cycles_of(shape, x, y, vectors, target);
        if (!best.empty() && cycles >= least) continue;
        best = {{kTileX, x}, {kTileY, y}, {kConvChannelsVectors, vectors}};
        least = cycles;
      }
  return best;
}

std::optional<Config> conv_channels_default_config(const KernelSpec& spec) {
  constexpr double kLeastGain = 1.15;  // over conv_rows
  const std::optional<Shape3> shape = conv_channels_shape_of(spec);
  if (!shape || !can_epilogue(spec) || shape->depth() < kLeastDepth) return std::nullopt;
  for (const Layout& layout : spec.layouts)
    if (!layout.is_dense()) return std::nullopt;
  const int lanes = float_lanes(spec.target);
  if (lanes < 4 || shape->rows_waste(lanes) < kLeastGain * shape->channels_waste(lanes))
    return std::nullopt;
  return conv_channels_rule_for(*shape, spec.target);
}

std::vector<KnobRange> conv_channels_knobs(const KernelSpec& spec) {
  const Shape3 shape = *conv_channels_shape_of(spec);
  return {{kTileX, numbers(1, std::min(kMostTile, shape.outputs[0]))},
          {kTileY, numbers(1, std::min(kMostTile, shape.outputs[1]))},
          {kConvChannelsVectors,
           numbers(1, std::min(kMostVectors, shape.vectors(float_lanes(spec.target))))}};
}

Result<void> check_conv_channels_config(const KernelSpec& spec) {
  const Shape3 shape = *conv_channels_shape_of(spec);
  const int64_t x = spec.config.at(kTileX), y = spec.config.at(kTileY);
  const int64_t vectors = spec.config.at(kConvChannelsVectors);
  OPBENCH_CHECK(check_range(spec.config, kTileX, 1, std::min(kMostTile, shape.outputs[0])));
  OPBENCH_CHECK(check_range(spec.config, kTileY, 1, std::min(kMostTile, shape.outputs[1])));
  OPBENCH_CHECK(check_range(spec.config, kConvChannelsVectors, 1,
                            std::min(kMostVectors, shape.vectors(float_lanes(spec.target)))));
  return check_sums(x * y * vectors, sum_registers(spec.target));
}

/// Filters as the loops read them: [group, tile of channels, channel of the input, z, y, x,
/// channel], zeros past the last channel of a group.
Result<Tensor> pack_conv_channels(const KernelSpec& spec, size_t index, const Tensor& weight) {
  if (input_index(spec.workload, 0, 1) != index) return pack_conv_operand(spec, index, weight);
  const Shape3 shape = *conv_channels_shape_of(spec);
  const int64_t width = spec.config.at(kConvChannelsVectors) * float_lanes(spec.target);
  const int64_t of_group = shape.geometry.group_out(), depth = shape.depth();
  const int64_t tiles = ceil_div(of_group, width);
  Tensor packed =
      Tensor::empty({DataType::kFloat32, {shape.geometry.groups * tiles * depth * width}});
  const auto from = weight.as<float>();
  auto to = packed.as<float>().begin();
  for (int64_t g = 0; g < shape.geometry.groups; ++g)
    for (int64_t tile = 0; tile < tiles; ++tile)
      for (int64_t at = 0; at < depth; ++at)
        for (int64_t i = 0; i < width; ++i) {
          const int64_t co = tile * width + i;
          *to++ = co < of_group ? from[static_cast<size_t>((g * of_group + co) * depth + at)] : 0;
        }
  return packed;
}

/// The loops' variables: outputs along space, channel of the group, group, image.
struct ConvChannelsLoops {
  const KernelSpec& spec;
  KernelBuilder& builder;
  Shape3 shape = *conv_channels_shape_of(spec);
  int lanes = builder.lanes();
  int width = narrow(spec.config.at(kConvChannelsVectors)) * lanes;
  std::array<Var, 3> space = {Var("x"), Var("y"), Var("z")};
  Var c = Var("c"), g = Var("g"), n = Var("n");

  size_t rank() const { return shape.geometry.kernel.size(); }

  /// The operand's element at places of space (of which it has as many as it has dimensions), of a
  /// channel and an image.
  Expr input(const std::array<Expr, 3>& places, const Expr& channel, const Expr& image) const {
    std::vector<Expr> at(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(rank()));
    at.insert(at.end(), {channel, image});
    return conv_operand(spec, builder, 0, at);
  }

  Expr bias(const Expr& channel) const {
    const Node& node = spec.workload.graph.nodes[0];
    const bool has_bias = node.inputs.size() > 2 && !node.inputs[2].empty();
    const Expr last = narrow(shape.geometry.group_out()) - 1;
    const Expr filter = Halide::min(channel, last) + g * narrow(shape.geometry.group_out());
    return has_bias ? conv_operand(spec, builder, 2, {filter}) : Expr(0.0f);
  }

  Expr filter(const Expr& channel, const Expr& at) const {
    const int64_t tiles = ceil_div(shape.geometry.group_out(), int64_t{width});
    const Func packed = builder.packed(*input_index(spec.workload, 0, 1),
                                       {width, shape.depth(), tiles, shape.geometry.groups});
    return packed(channel % width, at, channel / width, g);
  }
};

/// The input with zeros around, by position from the first that a tap reads.
Func conv_channels_padded_input(const ConvChannelsLoops& l) {
  const Var channel("channel");
  std::array<Expr, 3> places, clamped;
  Expr is_inside;
  for (size_t d = 0; d < 3; ++d) {
    places[d] = l.space[d] - narrow(l.shape.pad[d]);
    clamped[d] = Halide::clamp(places[d], 0, narrow(l.shape.extent[d]) - 1);
    if (d >= l.rank()) continue;
    const Expr inside =
        Halide::likely(places[d] >= 0) && Halide::likely(places[d] < narrow(l.shape.extent[d]));
    is_inside = is_inside.defined() ? is_inside && inside : inside;
  }
  Func padded("padded");
  padded(l.space[0], l.space[1], l.space[2], channel, l.n) =
      Halide::select(is_inside, l.input(clamped, channel, l.n), 0.0f);
  const Var task("task");
  padded.compute_root().fuse(channel, l.n, task).parallel(task);
  padded.vectorize(l.space[0], l.lanes, TailStrategy::GuardWithIf);
  return padded;
}

Func build_conv_channels(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvChannelsLoops l{.spec = spec, .builder = builder};
  const Shape3& s = l.shape;
  const int of_group = narrow(s.geometry.group_out());
  const auto [x, y, z] = l.space;
  const Func padded = s.has_padding() ? conv_channels_padded_input(l) : Func();
  const RDom r(0, narrow(s.kernel[0]), 0, narrow(s.kernel[1]), 0, narrow(s.kernel[2]), 0,
               narrow(s.geometry.group_in()));
  std::array<Expr, 3> places;
  for (size_t d = 0; d < 3; ++d)
    places[d] = l.space[d] * narrow(s.stride[d]) + r[static_cast<int>(d)] * narrow(s.dilation[d]);
  const Expr channel = r[3] + l.g * narrow(s.geometry.group_in());
  const Expr element = padded.defined() ? padded(places[0], places[1], places[2], channel, l.n)
                                        : l.input(places, channel, l.n);
  const Expr tap = r[0] + narrow(s.kernel[0]) *
                              (r[1] + narrow(s.kernel[1]) * (r[2] + narrow(s.kernel[2]) * r[3]));
  Func sum("sum"), out("out");
  const std::vector<Var> all = {l.c, x, y, z, l.g, l.n};
  sum(all) = l.bias(l.c);
  sum(all) += element * l.filter(l.c, tap);

  std::vector<Var> place(l.space.begin(), l.space.begin() + static_cast<std::ptrdiff_t>(l.rank()));
  std::vector<Expr> position(place.begin(), place.end());
  std::vector<Expr> of_sum = {
      l.c, x, l.rank() > 1 ? Expr(y) : Expr(0), l.rank() > 2 ? Expr(z) : Expr(0), l.g, l.n};
  position.insert(position.end(), {l.c + l.g * of_group, l.n});
  place.insert(place.end(), {l.c, l.g, l.n});
  out(place) = builder.epilogue(sum(of_sum), position);
  std::vector<int64_t> extents(s.outputs.begin(),
                               s.outputs.begin() + static_cast<std::ptrdiff_t>(l.rank()));
  extents.insert(extents.end(), {of_group, s.geometry.groups, s.geometry.output[0]});
  builder.set_output_extents(extents);

  const int tile_x = narrow(spec.config.at(kTileX));
  const int tile_y = l.rank() > 1 ? narrow(spec.config.at(kTileY)) : 1;
  const Var xo("xo"), xi("xi"), yo("yo"), yi("yi"), co("co"), ci("ci"), of_image("of_image"),
      task("task");
  out.split(x, xo, xi, tile_x, TailStrategy::ShiftInwards)
      .split(l.c, co, ci, l.width, TailStrategy::GuardWithIf);
  std::vector<Halide::VarOrRVar> order = {xi};
  if (l.rank() > 1) {
    out.split(y, yo, yi, tile_y, TailStrategy::ShiftInwards);
    order.emplace_back(yi);
  }
  order.insert(order.end(), {ci, xo});
  if (l.rank() > 1) order.emplace_back(yo);
  if (l.rank() > 2) order.emplace_back(z);
  order.emplace_back(co);
  out.reorder(order).unroll(xi).fuse(co, l.g, of_image).fuse(of_image, l.n, task).parallel(task);
  if (l.rank() > 1) out.unroll(yi);
  sum.compute_at(out, xo).bound_extent(l.c, l.width).vectorize(l.c, l.lanes).unroll(l.c);
  sum.unroll(x).unroll(y).update().reorder({l.c, x, y, z, r[0], r[1], r[2], r[3]});
  sum.update().vectorize(l.c, l.lanes).unroll(l.c).unroll(x).unroll(y);
  builder.keep_loops();
  return out;
}

}  // namespace

ScheduleDef conv_channels_schedule() {
  return {.name = "conv_channels",
          .summary = "Convolution of dense tensors of any rank, lanes are output channels",
          .default_config = conv_channels_default_config,
          .knobs = conv_channels_knobs,
          .priority = 2,
          .pack = pack_conv_channels,
          .check_config = check_conv_channels_config,
          .build = build_conv_channels};
}

}  // namespace opbench
