#include <halide14/Halide.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/schedules/anchor_check.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "model/operators/pooling.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// Windows of more taps are loops, smaller ones one expression.
constexpr int64_t kMostTaps = 64;

std::optional<Window> window_of_anchor(const KernelSpec& spec) {
  const OperatorCall call = call_of(anchor_of(spec), spec.workload.graph, spec.workload.opset);
  Result<Window> window = pool_window(call);
  if (!window || window->size() != 2) return std::nullopt;
  return *std::move(window);
}

/// Outputs of a row that are computed together: a divisor of the row where there is one.
int64_t tile_of_row(int64_t outputs) {
  for (int64_t tile = std::min<int64_t>(8, outputs); tile >= 4; --tile)
    if (outputs % tile == 0) return tile;
  return std::min<int64_t>(4, outputs);
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  if (!takes_moving_anchor(spec, "MaxPool") && !takes_anchor(spec, "AveragePool"))
    return std::nullopt;
  if (!is_plain(spec) && !is_blocked(spec)) return std::nullopt;
  const std::optional<Window> window = window_of_anchor(spec);
  if (!window) return std::nullopt;
  return Config{{"tile", is_blocked(spec) ? tile_of_row((*window)[1].output) : 1}};
}

/// A pool's parts. Position of x among the dimensions: 1 in blocked data, where lane comes first.
struct Pool {
  const KernelSpec& spec;
  WindowAxis y, x;
  bool is_max = true;
  bool includes_pad = false;
  size_t x_at = 0;
  Halide::Type element = Halide::Float(32);
  Func input = Func("padded");
  std::vector<Var> vars = {};
  std::vector<int64_t> extents = {};

  int64_t taps() const { return y.kernel * x.kernel; }

  /// `func` at tap (kx, ky) of output (ox, oy) of the axes given; the other coordinates as in vars.
  Expr tap(const Func& func, const Expr& at_x, const Expr& at_y) const {
    std::vector<Expr> position(vars.begin(), vars.end());
    position[x_at] = at_x;
    position[x_at + 1] = at_y;
    return func(position);
  }
  Expr column(const Expr& k) const {
    return vars[x_at] * narrow(x.stride) + k * narrow(x.dilation) - narrow(x.pad_begin);
  }
  Expr row(const Expr& k) const {
    return vars[x_at + 1] * narrow(y.stride) + k * narrow(y.dilation) - narrow(y.pad_begin);
  }
  Expr joined(const Expr& a, const Expr& b) const {
    if (!a.defined()) return b;
    return is_max ? Halide::max(a, b) : a + b;
  }
  Expr neutral() const {
    if (!is_max) return 0.0f;
    return element.is_float() ? Expr(-std::numeric_limits<float>::infinity()) : element.min();
  }
};

/// Taps of output `at` along `axis` that read positions in [low, high).
Expr taps_within(const WindowAxis& axis, const Expr& at, int64_t low, int64_t high) {
  const Expr start = at * narrow(axis.stride) - narrow(axis.pad_begin);
  const int step = narrow(axis.dilation);
  const Expr first = Halide::max(0, (narrow(low) - start + step - 1) / step);
  const Expr last = Halide::min(narrow(axis.kernel), (narrow(high) - start + step - 1) / step);
  return last - first;
}

/// True if every output of the axis has all taps in [low, high).
bool is_whole(const WindowAxis& axis, int64_t low, int64_t high) {
  return axis.position(0, 0) >= low && axis.position(axis.output - 1, axis.kernel - 1) < high;
}

/// One over the elements that an average counts, by `count_include_pad`.
Expr weight(const Pool& pool) {
  const auto count = [&](const WindowAxis& axis, const Var& at) {
    const int64_t low = pool.includes_pad ? -axis.pad_begin : 0;
    const int64_t high = axis.input + (pool.includes_pad ? axis.pad_end : 0);
    if (is_whole(axis, low, high)) return Expr(narrow(axis.kernel));
    return taps_within(axis, at, low, high);
  };
  const Expr elements =
      count(pool.x, pool.vars[pool.x_at]) * count(pool.y, pool.vars[pool.x_at + 1]);
  return 1.0f / Halide::cast<float>(Halide::max(elements, 1));
}

/// The window as one expression; `rows` holds each column's result, if it has a Func of its own.
Expr unrolled(Pool& pool, Func* columns) {
  Expr all;
  if (columns == nullptr) {
    for (int64_t ky = 0; ky < pool.y.kernel; ++ky)
      for (int64_t kx = 0; kx < pool.x.kernel; ++kx)
        all = pool.joined(all, pool.tap(pool.input, pool.column(narrow(kx)), pool.row(narrow(ky))));
    return all;
  }
  for (int64_t ky = 0; ky < pool.y.kernel; ++ky)
    all = pool.joined(all, pool.tap(pool.input, pool.vars[pool.x_at], pool.row(narrow(ky))));
  (*columns)(pool.vars) = all;
  all = Expr();
  for (int64_t kx = 0; kx < pool.x.kernel; ++kx)
    all = pool.joined(all, pool.tap(*columns, pool.column(narrow(kx)), pool.vars[pool.x_at + 1]));
  return all;
}

Pool pool_of(const KernelSpec& spec, KernelBuilder& builder) {
  const Window window = window_of_anchor(spec).value();
  const Node& node = anchor_of(spec);
  Pool pool{.spec = spec, .y = window[0], .x = window[1]};
  pool.is_max = node.type == "MaxPool";
  pool.includes_pad = int_attribute(node, "count_include_pad", 0) != 0;
  pool.x_at = is_blocked(spec) ? 1 : 0;
  const Shape shape = physical_shape(output_type(spec.workload).shape, spec.output_layout());
  pool.extents.assign(shape.rbegin(), shape.rend());
  for (const char* name : {"a", "b", "c", "d", "e"})
    if (pool.vars.size() < shape.size()) pool.vars.emplace_back(name);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  pool.element = Expr(input(std::vector<Expr>(shape.size(), Expr(0)))).type();
  Halide::Region bounds(shape.size());
  if (!is_whole(pool.x, 0, pool.x.input)) bounds[pool.x_at] = {0, narrow(pool.x.input)};
  if (!is_whole(pool.y, 0, pool.y.input)) bounds[pool.x_at + 1] = {0, narrow(pool.y.input)};
  pool.input = Halide::BoundaryConditions::constant_exterior(input, pool.neutral(), bounds);
  return pool;
}

/// Lanes in vectors, a tile of outputs in registers, rows in parallel.
void schedule_blocked(const Pool& pool, Func& out, Func& columns, Func& sum, int lanes) {
  const auto knob = pool.spec.config.find("tile");
  const int64_t wanted = knob == pool.spec.config.end() ? 1 : knob->second;
  const int tile = narrow(std::clamp<int64_t>(wanted, 1, pool.x.output));
  const Var lane = pool.vars[0], x = pool.vars[1], y = pool.vars[2];
  const Var inner("inner");
  out.split(x, x, inner, tile, TailStrategy::ShiftInwards)
      .reorder({lane, inner, x, y})
      .vectorize(lane, lanes)
      .unroll(inner);
  const std::vector<Var> outer(pool.vars.begin() + 2, pool.vars.end());
  const std::vector<int64_t> counts(pool.extents.begin() + 2, pool.extents.end());
  parallelize(out, outer, counts, pool.extents[1] * lanes * std::min<int64_t>(4, pool.taps()));
  if (columns.defined()) columns.compute_at(out, x).vectorize(lane, lanes).unroll(x);
  if (sum.defined()) {
    sum.compute_at(out, x).vectorize(lane, lanes).unroll(x);
    const std::vector<Halide::RVar> r = {sum.rvars(0)[0], sum.rvars(0)[1]};
    sum.update().reorder({lane, x, r[0], r[1]}).vectorize(lane, lanes).unroll(x);
  }
}

void schedule_plain(const Pool& pool, Func& out, Func& sum, int lanes) {
  vectorize_any(out, pool.vars[0], pool.extents[0], lanes, 1);
  const std::vector<Var> outer(pool.vars.begin() + 1, pool.vars.end());
  const std::vector<int64_t> counts(pool.extents.begin() + 1, pool.extents.end());
  parallelize(out, outer, counts, pool.extents[0] * std::min<int64_t>(4, pool.taps()));
  if (!sum.defined()) return;
  sum.compute_at(out, pool.vars[1]);
  vectorize_any(sum, pool.vars[0], pool.extents[0], lanes, 1);
  sum.update().unscheduled();
}

Func build(const KernelSpec& spec, KernelBuilder& builder) {
  Pool pool = pool_of(spec, builder);
  Func out("out"), columns, sum;
  Expr value;
  if (pool.taps() <= kMostTaps) {
    const bool is_separable = is_blocked(spec) && pool.x.stride == 1 && pool.x.dilation == 1 &&
                              pool.x.kernel > 1 && pool.x.output >= 4;
    if (is_separable) columns = Func("columns");
    value = unrolled(pool, is_separable ? &columns : nullptr);
  } else {
    sum = Func("sum");
    const RDom r(0, narrow(pool.x.kernel), 0, narrow(pool.y.kernel), "r");
    sum(pool.vars) = pool.neutral();
    sum(pool.vars) =
        pool.joined(sum(pool.vars), pool.tap(pool.input, pool.column(r.x), pool.row(r.y)));
    value = sum(pool.vars);
  }
  if (!pool.is_max) value = value * weight(pool);
  out(pool.vars) = builder.epilogue(value, {pool.vars.begin(), pool.vars.end()});
  if (is_blocked(spec))
    schedule_blocked(pool, out, columns, sum, builder.lanes());
  else
    schedule_plain(pool, out, sum, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef pool_schedule() {
  return {.name = "pool",
          .summary = "max and average pool, taps as one expression, padding folded away",
          .by_rule = by_rule,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build};
}

}  // namespace opbench
