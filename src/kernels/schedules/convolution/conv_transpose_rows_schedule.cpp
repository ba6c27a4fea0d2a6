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
using Halide::Var;

// Output s·u + p of a stride s belongs to phase p. A phase reads every s-th tap: tap k = t mod s +
// s·j meets the input u + t/s - j, where t = p + pad (Dumoulin and Visin 2016, section 4). So each
// phase is a convolution of stride 1, and, with the input in padded rows of one pitch, every tap
// reads all outputs of a phase as one run of elements.

/// One dimension of space.
struct Axis {
  int kernel = 1, stride = 1, pad = 0, extent = 1, outputs = 1;

  int taps() const { return (kernel + stride - 1) / stride; }
  int units() const { return (outputs + stride - 1) / stride; }
  /// Columns before the first input element.
  int left() const { return taps() - 1 - pad / stride; }
  int pitch() const { return units() + taps(); }
};

struct Transposed {
  Axis x, y;
  int rank = 1, groups = 1, group_in = 1, group_out = 1;

  int pitch() const { return x.pitch(); }
  int phases() const { return x.stride * y.stride; }
  int run() const { return (y.units() - 1) * pitch() + x.units(); }
  TileChannels channels() const { return {groups, group_out}; }
};

constexpr const char* kChannels = "tile_co";  ///< output channels of a register tile
constexpr const char* kVectors = "vectors";   ///< vectors of a register tile along the run
constexpr int64_t kMostVectors = 4;

Axis axis_at(const Workload& workload, size_t rank, size_t d) {
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
  if (rank > 2 || is_dilated || type_of(workload, node.outputs[0]).size() == 0) return std::nullopt;
  Transposed t;
  t.rank = static_cast<int>(rank);
  t.x = axis_at(workload, rank, rank - 1);
  if (rank > 1) t.y = axis_at(workload, rank, 0);
  t.groups = narrow(int_attribute(node, "group", 1));
  t.group_in = narrow(type_of(workload, node.inputs[1]).shape[0] / t.groups);
  t.group_out = narrow(type_of(workload, node.inputs[1]).shape[1]);
  const bool is_odd = t.x.left() < 0 || t.y.left() < 0 || t.x.pad < 0 || t.y.pad < 0;
  return is_odd ? std::nullopt : std::optional(t);
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  const std::optional<Transposed> t = transposed_of(spec.workload);
  if (!t || !can_epilogue(spec)) return std::nullopt;
  for (const Layout& layout : spec.layouts) {
    if (!layout.is_dense()) return std::nullopt;
  }
  const bool has_32_registers = vector_isa(spec.target) == VectorIsa::kAvx512;
  const int lanes = float_lanes(spec.target);
  const int64_t vectors =
      std::min<int64_t>(has_32_registers ? 4 : 2, (t->run() + lanes - 1) / lanes);
  const int64_t accumulators = has_32_registers ? 24 : 12;
  return Config{{kChannels, t->channels().by_rule(accumulators / vectors)}, {kVectors, vectors}};
}

std::vector<KnobRange> knobs(const KernelSpec& spec) {
  const Transposed t = *transposed_of(spec.workload);
  return {{kChannels, t.channels().values()}, {kVectors, numbers(1, kMostVectors)}};
}

Result<void> check_config(const KernelSpec& spec) {
  const Transposed t = *transposed_of(spec.workload);
  OPBENCH_CHECK(t.channels().check(spec.config, kChannels));
  return check_range(spec.config, kVectors, 1, kMostVectors);
}

Expr operand(const KernelSpec& spec, KernelBuilder& builder, size_t index,
             const std::vector<Expr>& at) {
  return builder.operand(*input_index(spec.workload, 0, index))(at);
}

/// The input in rows of one pitch with zeros around: (column, row, channel, image).
Func padded_input(const KernelSpec& spec, KernelBuilder& builder, const Transposed& t,
                  const std::vector<Var>& v) {
  const Expr x = v[0] - t.x.left();
  const Expr y = v[1] - t.y.left();
  std::vector<Expr> at = {Halide::clamp(x, 0, t.x.extent - 1)};
  if (t.rank > 1) at.push_back(Halide::clamp(y, 0, t.y.extent - 1));
  at.insert(at.end(), {v[2], v[3]});
  Func padded("padded");
  padded(v) = Halide::select(x >= 0 && x < t.x.extent && y >= 0 && y < t.y.extent,
                             operand(spec, builder, 0, at), 0.0f);
  return padded;
}

/// Tap j of a phase along one dimension: its place in the filter, and what it reads from.
struct Tap {
  Expr kernel, offset, exists;
};

Tap tap_at(const Axis& axis, const Expr& phase, const Expr& j) {
  const Expr t = phase + axis.pad;
  const Expr kernel = t % axis.stride + axis.stride * j;
  return {Halide::min(kernel, axis.kernel - 1),
          t / axis.stride - axis.pad / axis.stride + axis.taps() - 1 - j, kernel < axis.kernel};
}

Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const Transposed t = *transposed_of(spec.workload);
  const int lanes = builder.lanes();
  const int tile_co = narrow(spec.config.at(kChannels));
  const int vectors = narrow(spec.config.at(kVectors));
  const int pitch = t.pitch();
  Var x("x"), y("y"), c("c"), n("n"), q("q"), co("co"), phase("phase");

  Func padded = padded_input(spec, builder, t, {x, y, c, n});
  Func run("run");
  run(q, c, n) = padded(q % pitch, q / pitch, c, n);

  RDom r(0, t.x.taps(), 0, t.y.taps(), 0, t.group_in);
  const Tap tap_x = tap_at(t.x, phase % t.x.stride, r[0]);
  const Tap tap_y = tap_at(t.y, phase / t.x.stride, r[1]);
  // All channels of a tile are of one group; written so, they share their loads of the input.
  const Expr group = t.groups == 1 ? Expr(0) : co / tile_co / (t.group_out / tile_co);
  const Expr channel = group * t.group_in + r[2];
  std::vector<Expr> weight_at = {tap_x.kernel};
  if (t.rank > 1) weight_at.push_back(tap_y.kernel);
  weight_at.insert(weight_at.end(), {co - group * t.group_out, channel});
  r.where(tap_x.exists && tap_y.exists);
  const Expr weight = operand(spec, builder, 1, weight_at);
  const Node& node = spec.workload.graph.nodes[0];
  const bool has_bias = node.inputs.size() > 2 && !node.inputs[2].empty();
  Func sum("sum");
  sum(q, co, phase, n) = has_bias ? operand(spec, builder, 2, {co}) : Expr(0.0f);
  sum(q, co, phase, n) += run(q + tap_x.offset + tap_y.offset * pitch, channel, n) * weight;
  Func flat("flat");
  flat(q, co, phase, n) = sum(q, co, phase, n);

  Func out("out");
  std::vector<Var> place = {x, c, n};
  if (t.rank > 1) place.insert(place.begin() + 1, y);
  const std::vector<Expr> position(place.begin(), place.end());
  Expr at = x / t.x.stride;
  Expr of_phase = x % t.x.stride;
  if (t.rank > 1) {
    at = at + y / t.y.stride * pitch;
    of_phase = of_phase + y % t.y.stride * t.x.stride;
  }
  out(place) = builder.epilogue(flat(at, c, of_phase, n), position);

  flat.bound(phase, 0, t.phases());
  std::vector<Var> space = {x};
  if (t.rank > 1) space.push_back(y);
  schedule({out, flat, sum, run, space, c, n, q, co, r, t.groups * t.group_out, tile_co, vectors,
            lanes, pitch});
  if (t.x.outputs >= lanes) out.vectorize(x, lanes, Halide::TailStrategy::ShiftInwards);
  return out;
}

}  // namespace

ScheduleDef conv_transpose_rows_schedule() {
  return {
      .name = "conv_transpose_rows",
      .summary = "Transposed convolution of dense 1-D and 2-D tensors, by phases of its strides",
      .by_rule = by_rule,
      .knobs = knobs,
      .priority = 5,
      .pack = pack_conv_operand,
      .check_config = check_config,
      .build = build,
  };
}

}  // namespace opbench
