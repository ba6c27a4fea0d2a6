#include <halide14/Halide.h>

#include <algorithm>
#include <string>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/pool_parts.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// Windows of more taps are loops, smaller ones one expression.
constexpr int64_t kPoolMostTaps = 64;

/// Outputs of a row that are computed together: a divisor of the row where there is one.
int64_t tile_of_row(int64_t outputs) {
  for (int64_t tile = std::min<int64_t>(8, outputs); tile >= 4; --tile)
    if (outputs % tile == 0) return tile;
  return std::min<int64_t>(4, outputs);
}

std::optional<Config> pool_default_config(const KernelSpec& spec) {
  if (!is_pool(spec) || (!is_plain(spec) && !is_blocked(spec))) return std::nullopt;
  const std::optional<Window> window = window_of_anchor(spec);
  if (!window) return std::nullopt;
  return Config{{"tile", is_blocked(spec) ? tile_of_row(window->back().output) : 1}};
}

/// A pool's parts. Position of x among the dimensions: 1 in blocked data, where lane comes first.
struct Pool {
  const KernelSpec& spec;
  std::vector<WindowAxis> axes;  ///< innermost first
  PoolKind kind = PoolKind::kMax;
  size_t x_at = 0;
  Halide::Type element = Halide::Float(32);
  Func input = Func("padded");    ///< with what lies outside of every axis
  Func row_input = Func("rows");  ///< the same but for x, along which it ends
  std::vector<Var> vars = {};
  std::vector<int64_t> extents = {};

  const WindowAxis& x() const { return axes[0]; }
  const Var& var(size_t axis) const { return vars[x_at + axis]; }
  int64_t taps() const {
    int64_t count = 1;
    for (const WindowAxis& axis : axes) count *= axis.kernel;
    return count;
  }

  /// `func` at these places along the axes; the other coordinates as in vars.
  Expr tap(const Func& func, const std::vector<Expr>& places) const {
    std::vector<Expr> position(vars.begin(), vars.end());
    std::ranges::copy(places, position.begin() + static_cast<std::ptrdiff_t>(x_at));
    return func(position);
  }
  /// Where tap `k` of an output reads.
  Expr place(size_t axis, const Expr& k) const {
    const WindowAxis& of = axes[axis];
    return var(axis) * narrow(of.stride) + k * narrow(of.dilation) - narrow(of.pad_begin);
  }
  Expr entering(const Expr& value) const { return entering_pool(kind, value); }
  Expr joined(const Expr& a, const Expr& b) const { return joined_in_pool(kind, a, b); }
  Expr neutral() const { return neutral_of_pool(kind, element); }
};

Expr finished(const Pool& pool, const Expr& value) {
  std::vector<Expr> places;
  for (size_t d = 0; d < pool.axes.size(); ++d) places.emplace_back(pool.var(d));
  return finished_pool(pool.spec, pool.axes, places, value);
}

/// The window as one expression.
Expr unrolled(const Pool& pool) {
  Expr all;
  for (int64_t tap = 0; tap < pool.taps(); ++tap) {
    std::vector<Expr> places;
    int64_t rest = tap;
    for (size_t d = 0; d < pool.axes.size(); ++d) {
      places.push_back(pool.place(d, narrow(rest % pool.axes[d].kernel)));
      rest /= pool.axes[d].kernel;
    }
    all = pool.joined(all, pool.entering(pool.tap(pool.input, places)));
  }
  return all;
}

/// The window over all axes but x, at column x of `input`.
Expr down_column(const Pool& pool, const Func& input) {
  Expr all;
  for (int64_t tap = 0; tap < pool.taps() / pool.x().kernel; ++tap) {
    std::vector<Expr> places = {pool.var(0)};
    int64_t rest = tap;
    for (size_t d = 1; d < pool.axes.size(); ++d) {
      places.push_back(pool.place(d, narrow(rest % pool.axes[d].kernel)));
      rest /= pool.axes[d].kernel;
    }
    all = pool.joined(all, pool.entering(pool.tap(input, places)));
  }
  return all;
}

/// The window along x over columns that were joined.
Expr along_row(const Pool& pool, const Func& columns) {
  Expr all;
  std::vector<Expr> places;
  for (size_t d = 0; d < pool.axes.size(); ++d) places.emplace_back(pool.var(d));
  for (int64_t k = 0; k < pool.x().kernel; ++k) {
    places[0] = pool.place(0, narrow(k));
    all = pool.joined(all, pool.tap(columns, places));
  }
  return all;
}

/// The same over two axes, first down each column, which `columns` holds.
Expr unrolled_by_columns(const Pool& pool, Func& columns) {
  columns(pool.vars) = down_column(pool, pool.input);
  return along_row(pool, columns);
}

/// A row of columns that were joined, and the same with what lies before and behind it: taps along
/// x read whole vectors, and only one read an output lies outside or far from its neighbours.
struct Row {
  Func columns, padded;
};

Expr unrolled_by_rows(const Pool& pool, Row& row) {
  row.columns = Func("columns");
  row.columns(pool.vars) = down_column(pool, pool.row_input);
  row.padded = row.columns;
  if (!is_whole(pool.x(), 0, pool.x().input)) {
    Halide::Region bounds(pool.vars.size());
    bounds[pool.x_at] = {0, narrow(pool.x().input)};
    row.padded = Halide::BoundaryConditions::constant_exterior(row.columns, pool.neutral(), bounds);
  }
  return along_row(pool, row.padded);
}

/// The window as loops of their own.
Expr looped(const Pool& pool, Func& sum) {
  Halide::Region window;
  for (const WindowAxis& axis : pool.axes) window.emplace_back(0, narrow(axis.kernel));
  const RDom r(window);
  std::vector<Expr> places;
  for (size_t d = 0; d < pool.axes.size(); ++d)
    places.push_back(pool.place(d, r[static_cast<int>(d)]));
  sum(pool.vars) = Halide::cast(pool.element, pool.neutral());
  sum(pool.vars) = pool.joined(sum(pool.vars), pool.entering(pool.tap(pool.input, places)));
  return sum(pool.vars);
}

Pool pool_of(const KernelSpec& spec, KernelBuilder& builder) {
  const Window window = window_of_anchor(spec).value();
  Pool pool{.spec = spec, .axes = {window.rbegin(), window.rend()}, .kind = pool_kind(spec)};
  pool.x_at = is_blocked(spec) ? 1 : 0;
  const Shape shape = physical_shape(output_type(spec.workload).shape, spec.output_layout());
  pool.extents.assign(shape.rbegin(), shape.rend());
  for (size_t i = 0; i < shape.size(); ++i) pool.vars.emplace_back("d" + std::to_string(i));
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  pool.element = Expr(input(std::vector<Expr>(shape.size(), Expr(0)))).type();
  Halide::Region bounds(shape.size());
  for (size_t d = 0; d < pool.axes.size(); ++d) {
    const WindowAxis& axis = pool.axes[d];
    if (!is_whole(axis, 0, axis.input)) bounds[pool.x_at + d] = {0, narrow(axis.input)};
  }
  pool.input = Halide::BoundaryConditions::constant_exterior(input, pool.neutral(), bounds);
  bounds[pool.x_at] = {};
  pool.row_input = Halide::BoundaryConditions::constant_exterior(input, pool.neutral(), bounds);
  return pool;
}

/// Lanes in vectors, a tile of outputs in registers, rows in parallel.
void schedule_blocked(const Pool& pool, Func& out, Func& columns, Func& sum, int lanes) {
  const auto knob = pool.spec.config.find("tile");
  const int64_t wanted = knob == pool.spec.config.end() ? 1 : knob->second;
  const int tile = narrow(std::clamp<int64_t>(wanted, 1, pool.x().output));
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

void schedule_plain(const Pool& pool, Func& out, Row& row, Func& sum, int lanes) {
  const Var one("one");
  out.split(pool.vars[1], pool.vars[1], one, 1, TailStrategy::RoundUp)
      .reorder(pool.vars[0], one, pool.vars[1]);
  vectorize_any(out, pool.vars[0], pool.extents[0], lanes, 1);
  const std::vector<Var> outer(pool.vars.begin() + 1, pool.vars.end());
  const std::vector<int64_t> counts(pool.extents.begin() + 1, pool.extents.end());
  parallelize(out, outer, counts, pool.extents[0] * std::min<int64_t>(4, pool.taps()));
  if (row.columns.defined()) {
    row.columns.compute_at(out, one);
    vectorize_any(row.columns, pool.vars[0], pool.x().input, lanes, 1);
    if (!is_whole(pool.x(), 0, pool.x().input)) {
      row.padded.compute_at(out, one);
      const Var x = row.padded.args()[0];
      vectorize_any(row.padded, x, pool.x().input, lanes, 1);
    }
  }
  if (!sum.defined()) return;
  sum.compute_at(out, one);
  vectorize_any(sum, pool.vars[0], pool.extents[0], lanes, 1);
  sum.update().unscheduled();
}

Func build_pool(const KernelSpec& spec, KernelBuilder& builder) {
  const Pool pool = pool_of(spec, builder);
  Func out("out"), columns, sum;
  Row row;
  const bool has_columns = is_blocked(spec) && pool.axes.size() == 2 && pool.x().stride == 1 &&
                           pool.x().dilation == 1 && pool.x().kernel > 1 && pool.x().output >= 4;
  // Halide 14 takes some loads with a stride from memory of its own for aligned that are not.
  const bool has_rows = !is_blocked(spec) && pool.x().kernel > 1 && pool.x().stride == 1;
  Expr value;
  if (pool.taps() > kPoolMostTaps) {
    sum = Func("sum");
    value = looped(pool, sum);
  } else if (has_columns) {
    columns = Func("columns");
    value = unrolled_by_columns(pool, columns);
  } else if (has_rows) {
    value = unrolled_by_rows(pool, row);
  } else {
    value = unrolled(pool);
  }
  out(pool.vars) = builder.epilogue(finished(pool, value), {pool.vars.begin(), pool.vars.end()});
  if (is_blocked(spec))
    schedule_blocked(pool, out, columns, sum, builder.lanes());
  else
    schedule_plain(pool, out, row, sum, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef pool_schedule() {
  return {.name = "pool",
          .summary = "max, average and Lp pool, taps as one expression, padding folded away",
          .default_config = pool_default_config,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build_pool};
}

}  // namespace opbench
