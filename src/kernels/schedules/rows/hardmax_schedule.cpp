#include <halide14/Halide.h>

#include <optional>
#include <vector>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/row_extreme.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// The tensor as [count, length], marked along the last axis.
struct HardmaxRows {
  int64_t count = 1;
  int64_t length = 1;
};

/// Nothing for another axis: the reference runs then.
std::optional<HardmaxRows> hardmax_rows_of(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const int64_t axis = normal_axis(int_attribute(anchor_of(spec), "axis", -1), shape.size());
  if (axis < 0) return std::nullopt;
  const auto at = static_cast<size_t>(axis);
  if (product(shape, at + 1, shape.size()) != 1) return std::nullopt;
  return HardmaxRows{.count = product(shape, 0, at), .length = shape[at]};
}

std::optional<Config> hardmax_default_config(const KernelSpec& spec) {
  if (!takes_anchor(spec, "Hardmax") || !is_plain(spec) || !hardmax_rows_of(spec))
    return std::nullopt;
  return Config{};
}

Func build_hardmax(const KernelSpec& spec, KernelBuilder& builder) {
  const HardmaxRows rows = hardmax_rows_of(spec).value();
  const int length = narrow(rows.length);
  const Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Shape& shape = output_type(spec.workload).shape;
  const Var i("i"), row("row"), at("at");
  const auto read = [&](const Expr& place) {
    std::vector<Expr> element(shape.size(), Expr(0));
    element[0] = place + row * length;  // dimension 0 of the input runs on over all elements
    return Expr(input(element));
  };
  const bool is_short = length < RowExtreme::least_length(builder.lanes());
  const RDom r(0, length, "r");
  Func largest("largest"), out("out");
  RowExtreme extreme({}, length, builder.lanes(), read, row);
  // The first of equal ones.
  largest(row) = is_short ? Expr(Halide::argmax(r, read(r))[0]) : extreme.place();
  const Expr mark = Halide::select(i == largest(row), 1.0f, 0.0f);
  out(i, row) = builder.epilogue(mark, unflatten(i + row * length, shape, 0, shape.size()));
  builder.set_output_extents({rows.length, rows.count});

  out.split(row, row, at, 1, TailStrategy::RoundUp);
  vectorize_any(out, i, rows.length, builder.lanes(), 1);
  parallelize(out, {row}, {rows.count}, rows.length);
  largest.compute_at(out, at);
  if (!is_short) extreme.compute_at(out, at);
  return out;
}

}  // namespace

ScheduleDef hardmax_schedule() {
  return {.name = "hardmax",
          .summary = "the first largest element of every row, marked",
          .default_config = hardmax_default_config,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build_hardmax};
}

}  // namespace opbench
