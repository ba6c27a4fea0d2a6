#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/convolution/conv_geometry.h"
#include "kernels/schedules/convolution/plain_product.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/schedule.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

bool is_plain_or_blockable(const KernelSpec& spec, Layout layout) {
  return layout.block == 0 || output_type(spec.workload).shape.size() == 4;
}

std::optional<Config> conv2d_plain_default_config(const KernelSpec& spec) {
  const std::optional<ConvGeometry> geometry = conv_geometry(spec.workload);
  if (!geometry || !can_epilogue(spec)) return std::nullopt;
  // Several groups are faster dense (conv_rows), layout changes included.
  const bool is_blocked = std::ranges::any_of(spec.layouts, [](Layout l) { return !l.is_dense(); });
  const bool is_one_to_one = geometry->group_in() == 1 && geometry->group_out() == 1;
  if (is_blocked && geometry->groups > 1 && !is_one_to_one) return std::nullopt;
  const std::optional<size_t> data = input_index(spec.workload, 0, 0);
  if (!data || !is_plain_or_blockable(spec, spec.layouts[*data])) return std::nullopt;
  return Config{};
}

ProductOperands operands_as_they_stand(const KernelSpec& spec, KernelBuilder& builder) {
  const auto read = [&spec, &builder](size_t operand) {
    return [&spec, &builder, operand](const std::vector<Expr>& at) {
      return conv_operand(spec, builder, operand, at);
    };
  };
  ProductOperands operands{.data = read(0), .weight = read(1)};
  const Node& node = spec.workload.graph.nodes[0];
  if (node.inputs.size() > 2 && !node.inputs[2].empty()) operands.bias = read(2);
  return operands;
}

/// Vectors along x, the taps of one row of outputs at a time.
Func plain_output(const KernelSpec& spec, KernelBuilder& builder, const ConvGeometry& g) {
  const std::vector<Var> v = spatial_vars(g);
  RDom r;
  Func product = define_plain_product(g, v, r, operands_as_they_stand(spec, builder));
  Func out("out");
  const std::vector<Expr> position(v.begin(), v.end());
  out(v) = builder.epilogue(product(position), position);
  Var task("task"), row("row");
  const int lanes = builder.lanes();
  const int width = narrow(g.output.back());
  const Var& x = v[0];
  const Var outer = g.rank() > 1 ? v[1] : v[v.size() - 2];
  std::vector<Var> rest(v.begin() + 1, v.end());
  out.fuse(rest[0], rest[1], task);
  for (size_t i = 2; i < rest.size(); ++i) out.fuse(task, rest[i], task);
  out.parallel(task);
  if (width >= lanes) out.vectorize(x, lanes, Halide::TailStrategy::ShiftInwards);
  product.compute_at(out, task);
  const auto tail = Halide::TailStrategy::GuardWithIf;
  const std::vector<Halide::VarOrRVar> order = [&] {
    std::vector<Halide::VarOrRVar> vars{x};
    for (int d = 0; d <= g.rank(); ++d) vars.emplace_back(r[d]);
    return vars;
  }();
  product.update().reorder(order);
  if (width >= lanes) {
    product.vectorize(x, lanes, tail);
    product.update().vectorize(x, lanes, tail);
  }
  return out;
}

/// The same into blocked memory: a lane past the last channel repeats the last channel.
Func blocked_output(const KernelSpec& spec, KernelBuilder& builder, const ConvGeometry& g) {
  const std::vector<Var> v = spatial_vars(g);
  RDom r;
  Func product = define_plain_product(g, v, r, operands_as_they_stand(spec, builder));
  Var ci("ci"), cb("cb"), task("task");
  const int block = spec.output_layout().block;
  const int channels = narrow(g.weight[0]);
  const Expr channel = Halide::min(ci + cb * block, channels - 1);
  Func out("out");
  out(ci, v[0], v[1], cb, v[3]) =
      builder.epilogue(product(v[0], v[1], channel, v[3]), {ci, v[0], v[1], cb, v[3]});
  out.bound(ci, 0, block);
  out.fuse(cb, v[3], cb).fuse(v[1], cb, task).parallel(task);
  product.compute_at(out, task);
  product.update().reorder(v[0], r[0], r[1], r[2], v[2]);
  const int lanes = builder.lanes();
  if (g.output.back() >= lanes)
    product.update().vectorize(v[0], lanes, Halide::TailStrategy::GuardWithIf);
  return out;
}

Func build_conv2d_plain(const KernelSpec& spec, KernelBuilder& builder) {
  const ConvGeometry geometry = *conv_geometry(spec.workload);
  return spec.output_layout().block == 0 ? plain_output(spec, builder, geometry)
                                         : blocked_output(spec, builder, geometry);
}

}  // namespace

ScheduleDef conv2d_plain_schedule() {
  return {
      .name = "conv2d_plain",
      .summary = "Convolution of any rank, grouping and layout, vectors along the rows",
      .default_config = conv2d_plain_default_config,
      .priority = 0,
      .pack = pack_conv_operand,
      .build = build_conv2d_plain,
  };
}

}  // namespace opbench
