#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/convolution/run_loops.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

// The padded input lies in rows of one pitch, split by stride into phases: element (row, column) of
// phase (py, px) is the input at (row * stride_y + py, column * stride_x + px). Then every tap
// reads all outputs of a channel as one run of elements, at an offset of its own, whatever the
// stride, the dilation, the padding and the width. The elements between two rows of outputs are
// computed and dropped.

/// One dimension of space.
struct Axis {
  int kernel = 1, stride = 1, dilation = 1, pad = 0, extent = 1, outputs = 1;

  /// Input elements of one phase that the taps reach beyond the outputs.
  int reach() const { return (kernel - 1) * dilation / stride; }
};

struct RowShape {
  Axis x, y;
  int groups = 1, group_in = 1, group_out = 1;

  int pitch() const { return x.outputs + x.reach(); }
  int phases() const { return x.stride * y.stride; }
  int run() const { return (y.outputs - 1) * pitch() + x.outputs; }
};

Axis axis_of(const ConvGeometry& g, size_t d) {
  return {narrow(g.kernel[d]), narrow(g.stride[d]), narrow(g.dilation[d]),
          narrow(g.pad[d]),    narrow(g.extent[d]), narrow(g.output[g.output.size() - 1 - d])};
}

RowShape row_shape(const ConvGeometry& g) {
  RowShape shape{axis_of(g, 0), {}, narrow(g.groups), narrow(g.group_in()), narrow(g.group_out())};
  if (g.rank() > 1) shape.y = axis_of(g, 1);
  return shape;
}

constexpr const char* kChannels = "tile_co";  ///< output channels of a register tile
constexpr const char* kVectors = "vectors";   ///< vectors of a register tile along the run

constexpr int64_t kMostChannels = 12;
constexpr int64_t kMostVectors = 4;

/// Channels of a register tile, at most `most`. The last tile of a single group begins earlier
/// where it does not fit; tiles of several groups must fit.
int64_t tile_channels(const RowShape& shape, int64_t most) {
  if (shape.groups > 1) return divisors(shape.group_out, most).back();
  const int64_t tiles = (shape.group_out + most - 1) / most;
  return (shape.group_out + tiles - 1) / tiles;
}

/// As many accumulators as leave registers for the operands.
Config rule_for(const RowShape& shape, const KernelSpec& spec) {
  const bool has_32_registers = vector_isa(spec.target) == VectorIsa::kAvx512;
  const int lanes = float_lanes(spec.target);
  const int64_t vectors_of_run = (shape.run() + lanes - 1) / lanes;
  const int64_t most_vectors = has_32_registers ? 4 : 2;
  const int64_t vectors = std::min<int64_t>(most_vectors, vectors_of_run);
  const int64_t accumulators = has_32_registers ? 24 : 12;
  return {{kChannels, tile_channels(shape, accumulators / vectors)}, {kVectors, vectors}};
}

int64_t most_channels(const RowShape& shape) {
  return std::min<int64_t>(shape.group_out, kMostChannels);
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  const std::optional<ConvGeometry> geometry = conv_geometry(spec.workload);
  if (!geometry || geometry->rank() > 2 || !can_epilogue(spec)) return std::nullopt;
  for (const Layout& layout : spec.layouts) {
    if (!layout.is_dense()) return std::nullopt;
  }
  return rule_for(row_shape(*geometry), spec);
}

std::vector<KnobRange> knobs(const KernelSpec& spec) {
  const RowShape shape = row_shape(*conv_geometry(spec.workload));
  const int64_t most = most_channels(shape);
  return {{kChannels, shape.groups > 1 ? divisors(shape.group_out, most) : numbers(1, most)},
          {kVectors, numbers(1, kMostVectors)}};
}

Result<void> check_config(const KernelSpec& spec) {
  const RowShape shape = row_shape(*conv_geometry(spec.workload));
  if (shape.groups > 1) {
    OPBENCH_CHECK(
        check_divisor(spec.config, kChannels, shape.group_out, "the channels of a group"));
  } else {
    OPBENCH_CHECK(check_range(spec.config, kChannels, 1, most_channels(shape)));
  }
  return check_range(spec.config, kVectors, 1, kMostVectors);
}

/// The input in rows of one pitch by phases: (column, row, phase, channel, image).
Func staged_input(const KernelSpec& spec, KernelBuilder& builder, const RowShape& shape,
                  bool has_rows, const std::vector<Var>& v) {
  const Var &column = v[0], &row = v[1], &phase = v[2], &channel = v[3], &image = v[4];
  const Expr x = column * shape.x.stride + phase % shape.x.stride - shape.x.pad;
  const Expr y = row * shape.y.stride + phase / shape.x.stride - shape.y.pad;
  std::vector<Expr> at = {Halide::clamp(x, 0, shape.x.extent - 1)};
  Expr is_inside = x >= 0 && x < shape.x.extent;
  if (has_rows) {
    at.push_back(Halide::clamp(y, 0, shape.y.extent - 1));
    is_inside = is_inside && y >= 0 && y < shape.y.extent;
  } else {
    is_inside = is_inside && row == 0;
  }
  at.insert(at.end(), {channel, image});
  Func staged("staged");
  staged(v) = Halide::select(is_inside, conv_operand(spec, builder, 0, at), 0.0f);
  return staged;
}

/// What a tap reads: offset into the run and phase.
struct Tap {
  Expr offset, phase;
};

Tap tap_at(const RowShape& shape, const Expr& kx, const Expr& ky) {
  const Expr x = kx * shape.x.dilation;
  const Expr y = ky * shape.y.dilation;
  return {x / shape.x.stride + y / shape.y.stride * shape.pitch(),
          x % shape.x.stride + y % shape.y.stride * shape.x.stride};
}

Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvGeometry g = *conv_geometry(spec.workload);
  const RowShape shape = row_shape(g);
  const bool has_rows = g.rank() > 1;
  const int lanes = builder.lanes();
  const int vectors = narrow(spec.config.at(kVectors));
  const int tile_co = narrow(spec.config.at(kChannels));
  const int pitch = shape.pitch();
  Var x("x"), y("y"), c("c"), n("n"), q("q"), co("co"), phase("phase");

  Func staged = staged_input(spec, builder, shape, has_rows, {x, y, phase, c, n});
  // One run of elements for each phase and channel.
  Func run("run");
  run(q, phase, c, n) = staged(q % pitch, q / pitch, phase, c, n);

  const RDom r(0, shape.x.kernel, 0, shape.y.kernel, 0, shape.group_in);
  const Tap tap = tap_at(shape, r[0], r[1]);
  std::vector<Expr> weight_at = {r[0]};
  if (has_rows) weight_at.emplace_back(r[1]);
  weight_at.insert(weight_at.end(), {r[2], co});
  const Node& node = spec.workload.graph.nodes[0];
  const bool has_bias = node.inputs.size() > 2 && !node.inputs[2].empty();
  // All channels of a tile are of one group; written so, they share their loads of the input.
  const Expr group = shape.groups == 1 ? Expr(0) : co / tile_co / (shape.group_out / tile_co);
  Func sum("sum");
  sum(q, co, n) = has_bias ? conv_operand(spec, builder, 2, {co}) : Expr(0.0f);
  sum(q, co, n) += run(q + tap.offset, tap.phase, group * shape.group_in + r[2], n) *
                   conv_operand(spec, builder, 1, weight_at);
  Func flat("flat");
  flat(q, co, n) = sum(q, co, n);

  Func out("out");
  std::vector<Var> place = {x, c, n};
  if (has_rows) place.insert(place.begin() + 1, y);
  const std::vector<Expr> position(place.begin(), place.end());
  const Expr at = has_rows ? Expr(y * pitch + x) : Expr(x);
  out(place) = builder.epilogue(flat(at, c, n), position);

  const RunLoops loops{
      out,     flat,    sum,   run,  x, y, c, n, q, co, r, has_rows, narrow(g.output[1]),
      tile_co, vectors, lanes, pitch};
  schedule(loops);
  if (shape.x.outputs >= lanes) out.vectorize(x, lanes, TailStrategy::ShiftInwards);
  return out;
}

}  // namespace

ScheduleDef conv_rows_schedule() {
  return {
      .name = "conv_rows",
      .summary = "Convolution of dense 1-D and 2-D tensors, any grouping, by runs of whole rows",
      .by_rule = by_rule,
      .knobs = knobs,
      .priority = 1,
      .pack = pack_conv_operand,
      .check_config = check_config,
      .build = build,
  };
}

}  // namespace opbench
