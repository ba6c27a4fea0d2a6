#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/layer_norm_rows.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> layer_norm_default_config(const KernelSpec& spec) {
  return is_plain(spec) && is_layer_norm(spec) ? std::optional(Config{}) : std::nullopt;
}

/// The number of rows may be free, their length and the channels may not.
bool takes_layer_norm_free(const KernelSpec& spec) {
  const size_t rank = anchor_type(spec, 0).shape.size();
  for (size_t axis = leading_axes(spec); axis < rank; ++axis)
    if (is_free(spec, 0, axis)) return false;
  return are_free_axes_read(spec);
}

/// Sum over each row of `terms(i, row)`: several vectors of partial sums, combined at the end.
Func row_sum(const std::string& name, const Func& terms, const LayerNormRows& of, int width) {
  const Var lane("lane"), row("row");
  const RDom chunk(0, narrow(ceil_div(of.length(), width)), "chunk"), all(0, width, "all");
  Func part(name + "_part"), sum(name);
  part(lane, row) = 0.0f;
  part(lane, row) += terms(lane + chunk * width, row);
  sum(row) = 0.0f;
  sum(row) += part(all, row);
  part.compute_at(sum, row).vectorize(lane);
  part.update().reorder(lane, chunk.x).vectorize(lane);
  sum.update().atomic().vectorize(all.x);
  return sum;
}

/// Two passes, since one (sum and sum of squares) cancels where the mean is far from 0.
Func build_layer_norm(const KernelSpec& spec, KernelBuilder& builder) {
  const LayerNormRows of = layer_norm_rows_of(spec).value();
  const int lanes = builder.lanes();
  const int width = of.length() >= int64_t{4} * lanes ? 4 * lanes : lanes;
  const int length = narrow(of.length());
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var i("i"), c("c"), row("row"), at("at");
  Func term("term"), square("square"), mean("mean"), factor("factor"), out("out");
  const auto value = [&](const Expr& place) {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = place + row * length;  // dimension 0 runs on over all elements
    return input(position);
  };
  const bool is_even = length % width == 0;
  const Expr inside = Halide::likely(i < length);
  const Expr safe = is_even ? value(i) : value(Halide::min(i, length - 1));
  const float per_element = 1.0f / static_cast<float>(length);
  term(i, row) = is_even ? safe : Halide::select(inside, safe, 0.0f);
  Func sum = row_sum("sum", term, of, width);
  mean(row) = sum(row) * per_element;
  const auto centered = [&](const Expr& x) { return of.has_mean ? x - mean(row) : x; };
  const Expr difference = centered(safe);
  square(i, row) =
      is_even ? difference * difference : Halide::select(inside, difference * difference, 0.0f);
  Func variance = row_sum("variance", square, of, width);
  factor(row) = 1.0f / (Halide::sqrt(variance(row) * per_element + of.epsilon) + of.deviation);

  const auto parameter = [&](size_t operand) {
    std::vector<Expr> position(anchor_type(spec, operand).shape.size(), Expr(0));
    position[0] = of.scaling == RowScaling::kByPlace
                      ? Expr(i)
                      : c + row % narrow(of.groups) * narrow(of.channels);
    return operand_value(spec, builder, operand, position);
  };
  const Expr place = i + c * narrow(of.spatial);
  Expr result = centered(value(place)) * factor(row);
  if (of.scaling != RowScaling::kNone) result = result * parameter(1);
  if (has_operand(spec, 2)) result = result + parameter(2);
  const std::vector<Expr> shape = builder.output_sizes();
  out(i, c, row) =
      builder.epilogue(result, unflatten(place + row * length, shape, 0, shape.size()));
  const Expr rows = narrow(of.groups) * product(shape, 0, leading_axes(spec));
  builder.set_output_sizes({narrow(of.spatial), narrow(of.channels), rows});
  out.split(row, row, at, 1, TailStrategy::RoundUp).reorder(i, c, at, row);
  vectorize_any(out, i, of.spatial, lanes, 4);
  parallelize(out, {row}, {of.rows}, of.length() * 2);
  for (Func* func : {&variance, &factor}) func->compute_at(out, at);
  if (!of.has_mean) return out;
  for (Func* func : {&sum, &mean}) func->compute_at(out, at);
  return out;
}

}  // namespace

ScheduleDef layer_norm_schedule() {
  return {.name = "layer_norm",
          .summary = "layer, instance, group, plain and root mean square normalisation of rows",
          .default_config = layer_norm_default_config,
          .takes_free = takes_layer_norm_free,
          .priority = 5,
          .pack = nullptr,
          .build = build_layer_norm};
}

}  // namespace opbench
