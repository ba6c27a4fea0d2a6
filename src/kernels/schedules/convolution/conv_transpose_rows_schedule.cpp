#include <halide14/Halide.h>

#include <algorithm>
#include <array>

#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/convolution/padded_input.h"
#include "kernels/schedules/convolution/run_loops.h"
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

// Output s·u + p of a stride s belongs to phase p. A phase reads every s-th tap: tap k = t mod s +
// s·j meets the input u + t/s - j, where t = p + pad (Dumoulin and Visin 2016, section 4). So each
// phase is a convolution of stride 1, and, with the input in padded rows of one pitch, every tap
// reads all outputs of a phase as one run of elements.

/// One dimension of space.
struct ConvTransposeRowsAxis {
  int kernel = 1, stride = 1, pad = 0, extent = 1, outputs = 1;

  int taps() const { return (kernel + stride - 1) / stride; }
  int units() const { return (outputs + stride - 1) / stride; }
  /// Columns before the first input element.
  int left() const { return taps() - 1 - pad / stride; }
  /// Elements of a row that taps read.
  int length() const { return units() + taps() - (stride == 1 ? 1 : 0); }
  /// Elements from one row to the next: zeros behind a row are those before the next.
  int pitch() const { return std::max({units(), left() + extent, length() - left()}); }
};

struct Transposed {
  ConvTransposeRowsAxis x, y, z;
  int rank = 1, groups = 1, group_in = 1, group_out = 1;

  int pitch() const { return x.pitch(); }
  /// Elements from one plane to the next: rows of zeros behind a plane are those before the next.
  int plane() const { return y.pitch() * pitch(); }
  int phases() const { return x.stride * y.stride * z.stride; }
  int taps() const { return x.kernel * y.kernel * z.kernel; }
  int channels_out() const { return groups * group_out; }
  /// Of filters that are known before the run: channel of the group, taps, output channel.
  std::vector<int64_t> packed_extents() const {
    return {channels_out(), x.kernel, y.kernel, z.kernel, group_in};
  }
  bool has_long_rows(int lanes) const { return pitch() >= lanes; }
  int run() const { return (z.units() - 1) * plane() + (y.units() - 1) * pitch() + x.units(); }
};

constexpr const char* kConvTransposeRowsChannels =
    "tile_co";  ///< output channels of a register tile
constexpr const char* kConvTransposeRowsVectors =
    "vectors";  ///< vectors of a register tile along the run
constexpr int64_t kConvTransposeRowsMostVectors = 4;

ConvTransposeRowsAxis axis_at(const Workload& workload, size_t rank, size_t d) {
  const Node& node = workload.graph.nodes[0];
  const auto extent_of = [&](const std::string& name) {
    return narrow(type_of(workload, name).shape[2 + d]);
  };
  const auto value = [&](const char* name, size_t count, int64_t otherwise) {
    return narrow(ints_attribute(node, name, std::vector<int64_t>(count, otherwise))[d]);
  };
  return {.kernel = extent_of(node.inputs[1]),
          .stride = value("strides", rank, 1),
          .pad = value("pads", 2 * rank, 0),
          .extent = extent_of(node.inputs[0]),
          .outputs = extent_of(node.outputs[0])};
}

std::optional<Transposed> transposed_of(const Workload& workload) {
  const Node& node = workload.graph.nodes[0];
  if (node.type != "ConvTranspose" || !node.domain.empty()) return std::nullopt;
  if (string_attribute(node, "auto_pad", "NOTSET") != "NOTSET") return std::nullopt;
  for (const std::string& name : node.inputs) {
    const bool is_float = name.empty() || type_of(workload, name).data_type == DataType::kFloat32;
    if (!is_float || workload.graph.constants.contains(name)) return std::nullopt;
  }
  const size_t rank = type_of(workload, node.inputs[0]).shape.size() - 2;
  const std::vector<int64_t> dilations = ints_attribute(node, "dilations", {});
  const bool is_dilated = std::ranges::any_of(dilations, [](int64_t d) { return d != 1; });
  if (rank > 3 || is_dilated || type_of(workload, node.outputs[0]).size() == 0) return std::nullopt;
  Transposed t;
  t.rank = static_cast<int>(rank);
  t.x = axis_at(workload, rank, rank - 1);
  if (rank > 1) t.y = axis_at(workload, rank, rank - 2);
  if (rank > 2) t.z = axis_at(workload, rank, 0);
  t.groups = narrow(int_attribute(node, "group", 1));
  t.group_in = narrow(type_of(workload, node.inputs[1]).shape[0] / t.groups);
  t.group_out = narrow(type_of(workload, node.inputs[1]).shape[1]);
  const bool is_odd = std::ranges::any_of(
      std::array{t.x, t.y, t.z},
      [](const ConvTransposeRowsAxis& axis) { return axis.left() < 0 || axis.pad < 0; });
  return is_odd ? std::nullopt : std::optional(t);
}

std::optional<Config> conv_transpose_rows_default_config(const KernelSpec& spec) {
  const std::optional<Transposed> t = transposed_of(spec.workload);
  if (!t || !can_epilogue(spec)) return std::nullopt;
  for (const Layout& layout : spec.layouts) {
    if (!layout.is_dense()) return std::nullopt;
  }
  const RunTile tile = default_tile(spec, t->group_out, t->run());
  return Config{{kConvTransposeRowsChannels, tile.channels},
                {kConvTransposeRowsVectors, tile.vectors}};
}

std::vector<KnobRange> conv_transpose_rows_knobs(const KernelSpec& spec) {
  const Transposed t = *transposed_of(spec.workload);
  return {{kConvTransposeRowsChannels, tile_channels(t.group_out)},
          {kConvTransposeRowsVectors, numbers(1, kConvTransposeRowsMostVectors)}};
}

Result<void> check_conv_transpose_rows_config(const KernelSpec& spec) {
  const Transposed t = *transposed_of(spec.workload);
  OPBENCH_CHECK(check_tile_channels(spec.config, kConvTransposeRowsChannels, t.group_out));
  return check_range(spec.config, kConvTransposeRowsVectors, 1, kConvTransposeRowsMostVectors);
}

Expr operand(const KernelSpec& spec, KernelBuilder& builder, size_t index,
             const std::vector<Expr>& at) {
  return builder.operand(*input_index(spec.workload, 0, index))(at);
}

/// The input in rows of one pitch with zeros around: (element, channel, image).
Func conv_transpose_rows_staged_run(const KernelSpec& spec, KernelBuilder& builder,
                                    const Transposed& t, const std::vector<Var>& vars) {
  std::vector<Expr> places = {vars[0] % t.pitch() - t.x.left()};
  std::vector<int> extents = {t.x.extent};
  if (t.rank == 1) {
    places[0] = vars[0] - t.x.left();
  } else {
    const Expr row = vars[0] / t.pitch();
    places.push_back((t.rank > 2 ? row % t.y.pitch() : row) - t.y.left());
    extents.push_back(t.y.extent);
  }
  if (t.rank > 2) {
    places.push_back(vars[0] / t.plane() - t.z.left());
    extents.push_back(t.z.extent);
  }
  const auto read = [&](std::vector<Expr> at) {
    at.insert(at.end(), {vars[1], vars[2]});
    return operand(spec, builder, 0, at);
  };
  Func run("run");
  run(vars) = t.has_long_rows(builder.lanes()) ? padded(places, extents, read)
                                               : padded_by_table(places, extents, {vars[0]}, read);
  return run;
}

/// Tap j of a phase along one dimension: its place in the filter, and what it reads from.
struct ConvTransposeRowsTap {
  Expr kernel, offset, exists;
};

ConvTransposeRowsTap conv_transpose_rows_tap_at(const ConvTransposeRowsAxis& axis,
                                                const Expr& phase, const Expr& j) {
  const Expr t = phase + axis.pad;
  const Expr kernel = t % axis.stride + axis.stride * j;
  return {Halide::min(kernel, axis.kernel - 1),
          t / axis.stride - axis.pad / axis.stride + axis.taps() - 1 - j, kernel < axis.kernel};
}

bool has_packed_filters(const KernelSpec& spec) {
  return spec.workload.is_weight(spec.workload.graph.nodes[0].inputs[1]);
}

/// The filter of output channel `co` of a group for its channel `r` at a tap (x, y, z).
Expr filter_at(const KernelSpec& spec, KernelBuilder& builder, const Transposed& t,
               const std::array<ConvTransposeRowsTap, 3>& taps, const Expr& r, const Expr& co,
               const Expr& group) {
  if (has_packed_filters(spec)) {
    const Func packed = builder.packed(*input_index(spec.workload, 0, 1), t.packed_extents());
    return packed(co + group * t.group_out, taps[0].kernel, taps[1].kernel, taps[2].kernel, r);
  }
  std::vector<Expr> at;
  for (size_t axis = 0; axis < static_cast<size_t>(t.rank); ++axis) at.push_back(taps[axis].kernel);
  at.insert(at.end(), {co, group * t.group_in + r});
  return operand(spec, builder, 1, at);
}

/// Filters so that those of a register tile are neighbours.
Result<Tensor> pack_conv_transpose_rows(const KernelSpec& spec, size_t index,
                                        const Tensor& weight) {
  if (input_index(spec.workload, 0, 1) != index) return pack_conv_operand(spec, index, weight);
  const Transposed t = *transposed_of(spec.workload);
  const int64_t taps = t.taps();
  const auto from = weight.as<float>();
  Tensor packed = Tensor::empty({DataType::kFloat32, {weight.type.size()}});
  auto to = packed.as<float>().begin();
  for (int64_t r = 0; r < t.group_in; ++r)
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t co = 0; co < t.channels_out(); ++co) {
        const int64_t channel = co / t.group_out * t.group_in + r;
        const int64_t at = (channel * t.group_out + co % t.group_out) * taps + tap;
        *to++ = from[static_cast<size_t>(at)];
      }
  return packed;
}

/// A row in whole steps of the stride, so that its phases interleave in registers.
void schedule_row(Func& row, Func& out, const Var& x, const Var& outer,
                  const ConvTransposeRowsAxis& axis, int lanes) {
  const Var unit("unit"), phase("phase_x");
  row.compute_at(out, outer)
      .split(x, unit, phase, axis.stride, Halide::TailStrategy::RoundUp)
      .unroll(phase);
  vectorize_row(row, unit, axis.units(), lanes);
}

/// Where element (x, y, z) of the output lies in its phase's run, and which phase that is.
struct RunPlace {
  Expr at, phase;
};

RunPlace place_of(const Transposed& t, const std::vector<Var>& space) {
  RunPlace place{space[0] / t.x.stride, space[0] % t.x.stride};
  if (t.rank > 1) {
    place.at = place.at + space[1] / t.y.stride * t.pitch();
    place.phase = place.phase + space[1] % t.y.stride * t.x.stride;
  }
  if (t.rank > 2) {
    place.at = place.at + space[2] / t.z.stride * t.plane();
    place.phase = place.phase + space[2] % t.z.stride * (t.x.stride * t.y.stride);
  }
  return place;
}

Func build_conv_transpose_rows(const KernelSpec& spec, KernelBuilder& builder) {
  const Transposed t = *transposed_of(spec.workload);
  const int lanes = builder.lanes();
  const int pitch = t.pitch();
  const Var x("x"), y("y"), z("z"), c("c"), g("g"), n("n");
  const Var q("q"), co("co"), input("input"), phase("phase");

  Func run = conv_transpose_rows_staged_run(spec, builder, t, {q, input, n});

  RDom r(0, t.x.taps(), 0, t.y.taps(), 0, t.z.taps(), 0, t.group_in);
  const std::array<ConvTransposeRowsTap, 3> taps = {
      conv_transpose_rows_tap_at(t.x, phase % t.x.stride, r[0]),
      conv_transpose_rows_tap_at(t.y, phase / t.x.stride % t.y.stride, r[1]),
      conv_transpose_rows_tap_at(t.z, phase / (t.x.stride * t.y.stride), r[2])};
  r.where(taps[0].exists && taps[1].exists && taps[2].exists);
  const Expr weight = filter_at(spec, builder, t, taps, r[3], co, g);
  const Node& node = spec.workload.graph.nodes[0];
  const bool has_bias = node.inputs.size() > 2 && !node.inputs[2].empty();
  const Expr offset = taps[0].offset + taps[1].offset * pitch + taps[2].offset * t.plane();
  Func sum("sum");
  sum(q, co, g, phase, n) =
      has_bias ? operand(spec, builder, 2, {co + g * t.group_out}) : Expr(0.0f);
  sum(q, co, g, phase, n) += run(q + offset, g * t.group_in + r[3], n) * weight;
  Func flat("flat");
  flat(q, co, g, phase, n) = sum(q, co, g, phase, n);

  Func row("row"), out("out");
  const std::array<Var, 3> axes = {x, y, z};
  const std::vector<Var> space(axes.begin(), axes.begin() + t.rank);
  std::vector<Var> place = space;
  place.insert(place.end(), {c, g, n});
  std::vector<Expr> position(space.begin(), space.end());
  position.insert(position.end(), {c + g * t.group_out, n});
  const auto [at, of_phase] = place_of(t, space);
  row(place) = flat(at, c, g, of_phase, n);
  out(place) = builder.epilogue(row(place), position);
  const Shape& result = output_type(spec.workload).shape;
  std::vector<int64_t> extents(result.rbegin(), result.rend() - 2);
  extents.insert(extents.end(), {t.group_out, t.groups, result[0]});
  builder.set_output_extents(extents);

  flat.bound(phase, 0, t.phases());
  builder.keep_loops();
  schedule({out, flat, sum, run, space, c, g, n, q, co, input, r, t.group_out,
            narrow(spec.config.at(kConvTransposeRowsChannels)),
            narrow(spec.config.at(kConvTransposeRowsVectors)), lanes,
            t.has_long_rows(lanes) ? pitch : 0});
  if (t.x.stride > 1) schedule_row(row, out, x, t.rank > 1 ? y : Var("ci"), t.x, lanes);
  vectorize_row(out, x, t.x.outputs, lanes);
  return out;
}

}  // namespace

ScheduleDef conv_transpose_rows_schedule() {
  return {
      .name = "conv_transpose_rows",
      .summary = "Transposed convolution of dense 1-D to 3-D tensors, by phases of its strides",
      .default_config = conv_transpose_rows_default_config,
      .knobs = conv_transpose_rows_knobs,
      .priority = 5,
      .pack = pack_conv_transpose_rows,
      .check_config = check_conv_transpose_rows_config,
      .build = build_conv_transpose_rows,
  };
}

}  // namespace opbench
