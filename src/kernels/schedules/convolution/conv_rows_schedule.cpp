#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/convolution/padded_input.h"
#include "kernels/schedules/convolution/run_loops.h"
#include "kernels/schedules/convolution/run_shape.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

// Every tap reads all outputs of a channel as one run (run_shape.h), at an offset of its own.

constexpr const char* kConvRowsChannels = "tile_co";  ///< output channels of a register tile
constexpr const char* kConvRowsVectors = "vectors";   ///< vectors of a register tile along the run

constexpr int64_t kConvRowsMostVectors = 4;

Config conv_rows_rule_for(const RunShape& shape, const KernelSpec& spec) {
  const RunTile tile = default_tile(spec, shape.group_out, shape.run());
  return {{kConvRowsChannels, tile.channels}, {kConvRowsVectors, tile.vectors}};
}

std::optional<Config> conv_rows_default_config(const KernelSpec& spec) {
  const std::optional<ConvGeometry> geometry = conv_geometry(spec.workload);
  if (!geometry || !can_epilogue(spec)) return std::nullopt;
  for (const Layout& layout : spec.layouts) {
    if (!layout.is_dense()) return std::nullopt;
  }
  return conv_rows_rule_for(run_shape(*geometry), spec);
}

std::vector<KnobRange> conv_rows_knobs(const KernelSpec& spec) {
  const RunShape shape = run_shape(*conv_geometry(spec.workload));
  return {{kConvRowsChannels, tile_channels(shape.group_out)},
          {kConvRowsVectors, numbers(1, kConvRowsMostVectors)}};
}

Result<void> check_conv_rows_config(const KernelSpec& spec) {
  const RunShape shape = run_shape(*conv_geometry(spec.workload));
  OPBENCH_CHECK(check_tile_channels(spec.config, kConvRowsChannels, shape.group_out));
  return check_range(spec.config, kConvRowsVectors, 1, kConvRowsMostVectors);
}

/// The places along the axes that an element of a phase stands for; outside the extents: padding.
std::vector<Expr> places_of(const RunShape& shape, const Var& q, const Var& phase) {
  Expr element = q, of_phase = phase;
  std::vector<Expr> places;
  for (int d = 0; d < shape.rank(); ++d) {
    const RunAxis& axis = shape.axes[static_cast<size_t>(d)];
    const bool is_last = d + 1 == shape.rank();
    const Expr place = is_last ? element : element % axis.pitch();
    const Expr tap = is_last ? of_phase : of_phase % axis.phases();
    places.push_back(place * axis.stride + tap * axis.dilation % axis.stride - axis.pad);
    element = element / axis.pitch();
    of_phase = of_phase / axis.phases();
  }
  return places;
}

/// The input in rows of one pitch by phases: (element, phase, channel, image).
Func conv_rows_staged_run(const KernelSpec& spec, KernelBuilder& builder, const RunShape& shape,
                          const std::vector<Var>& vars) {
  const std::vector<Expr> places = places_of(shape, vars[0], vars[1]);
  std::vector<int> extents;
  for (const RunAxis& axis : shape.axes) extents.push_back(axis.extent);
  const auto read = [&](std::vector<Expr> at) {
    at.insert(at.end(), {vars[2], vars[3]});
    return conv_operand(spec, builder, 0, at);
  };
  Func run("run");
  run(vars) = shape.has_long_rows(builder.lanes())
                  ? padded(places, extents, read)
                  : padded_by_table(places, extents, {vars[0], vars[1]}, read);
  return run;
}

/// What a tap reads: offset into the run and phase.
struct ConvRowsTap {
  Expr offset = 0, phase = 0;
};

ConvRowsTap conv_rows_tap_at(const RunShape& shape, const RDom& r) {
  ConvRowsTap tap;
  int phases = 1;
  for (int d = 0; d < shape.rank(); ++d) {
    const RunAxis& axis = shape.axes[static_cast<size_t>(d)];
    const Expr x = r[d] * axis.dilation;
    tap.offset += x / axis.stride * shape.step(d);
    tap.phase += r[d] % axis.period() * phases;
    phases *= axis.phases();
  }
  return tap;
}

/// The taps of every dimension of space, then the channels of a group.
RDom taps_of(const RunShape& shape) {
  Halide::Region taps;
  for (const RunAxis& axis : shape.axes) taps.emplace_back(0, axis.kernel);
  taps.emplace_back(0, shape.group_in);
  return RDom(taps);
}

Func build_conv_rows(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvGeometry geometry = *conv_geometry(spec.workload);
  const RunShape shape = run_shape(geometry);
  const int lanes = builder.lanes();
  const Var c("c"), g("g"), n("n"), q("q"), co("co"), input("input"), phase("phase");
  Func run = conv_rows_staged_run(spec, builder, shape, {q, phase, input, n});

  const RDom r = taps_of(shape);
  const Expr channel = r[shape.rank()], filter = co + g * shape.group_out;
  const ConvRowsTap tap = conv_rows_tap_at(shape, r);
  std::vector<Expr> weight_at;
  for (int d = 0; d < shape.rank(); ++d) weight_at.emplace_back(r[d]);
  weight_at.insert(weight_at.end(), {channel, filter});
  const Node& node = spec.workload.graph.nodes[0];
  const bool has_bias = node.inputs.size() > 2 && !node.inputs[2].empty();
  Func sum("sum"), flat("flat"), out("out");
  sum(q, co, g, n) = has_bias ? conv_operand(spec, builder, 2, {filter}) : Expr(0.0f);
  sum(q, co, g, n) += run(q + tap.offset, tap.phase, g * shape.group_in + channel, n) *
                      conv_operand(spec, builder, 1, weight_at);
  flat(q, co, g, n) = sum(q, co, g, n);

  std::vector<Var> space;
  std::vector<int64_t> extents;
  Expr at = 0;
  for (int d = 0; d < shape.rank(); ++d) {
    space.emplace_back("s" + std::to_string(d));
    extents.push_back(shape.axes[static_cast<size_t>(d)].outputs);
    at = at + space.back() * shape.step(d);
  }
  std::vector<Var> place = space;
  place.insert(place.end(), {c, g, n});
  std::vector<Expr> position(space.begin(), space.end());
  position.insert(position.end(), {c + g * shape.group_out, n});
  out(place) = builder.epilogue(flat(at, c, g, n), position);
  extents.insert(extents.end(), {shape.group_out, shape.groups, geometry.output[0]});
  builder.set_output_extents(extents);

  const int pitch = shape.has_long_rows(lanes) ? shape.axes[0].pitch() : 0;
  builder.keep_loops();
  schedule({out, flat, sum, run, space, c, g, n, q, co, input, r, shape.group_out,
            narrow(spec.config.at(kConvRowsChannels)), narrow(spec.config.at(kConvRowsVectors)),
            lanes, pitch});
  vectorize_row(out, space[0], shape.axes[0].outputs, lanes);
  return out;
}

}  // namespace

ScheduleDef conv_rows_schedule() {
  return {
      .name = "conv_rows",
      .summary = "Convolution of dense tensors of any rank, any grouping, by runs of whole rows",
      .default_config = conv_rows_default_config,
      .knobs = conv_rows_knobs,
      .priority = 1,
      .pack = pack_conv_operand,
      .check_config = check_conv_rows_config,
      .build = build_conv_rows,
  };
}

}  // namespace opbench
