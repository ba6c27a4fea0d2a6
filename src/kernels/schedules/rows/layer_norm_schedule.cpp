#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/anchor_check.h"
#include "kernels/schedules/anchor_operand.h"
#include "kernels/schedules/free_axes.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

/// The tensor as [rows, length], every row brought to mean 0 and variance 1.
struct Rows {
  int64_t rows = 1;
  int64_t length = 1;
  int64_t channels = 0;  ///< scale and bias by row % channels; 0: by place in the row
  float epsilon = 1e-5f;
};

/// The first axis of a row; the rank or more when there is none.
size_t first_axis(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const size_t rank = anchor_type(spec, 0).shape.size();
  if (node.type == "InstanceNormalization") return 2;
  return static_cast<size_t>(normal_axis(int_attribute(node, "axis", -1), rank));
}

std::optional<Rows> rows_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  const bool is_instance = node.type == "InstanceNormalization";
  const size_t at = first_axis(spec);
  if (at >= shape.size()) return std::nullopt;
  return Rows{.rows = product(shape, 0, at),
              .length = product(shape, at, shape.size()),
              .channels = is_instance ? shape[1] : 0,
              .epsilon = float_attribute(node, "epsilon", 1e-5f)};
}

std::optional<Config> by_rule(const KernelSpec& spec) {
  const bool is_known =
      takes_anchor(spec, "LayerNormalization") || takes_anchor(spec, "InstanceNormalization");
  if (!is_known || !is_plain(spec)) return std::nullopt;
  const std::optional<Rows> rows = rows_of(spec);
  if (!rows) return std::nullopt;
  const int64_t size = rows->channels > 0 ? rows->channels : rows->length;
  for (const size_t operand : {size_t{1}, size_t{2}}) {
    if (operand == 2 && !has_operand(spec, 2)) continue;
    if (!is_readable(spec, operand) || anchor_type(spec, operand).size() != size)
      return std::nullopt;
  }
  return Config{};
}

/// The number of rows may be free, their length and the channels may not.
bool takes_free(const KernelSpec& spec) {
  const bool is_instance = anchor_of(spec).type == "InstanceNormalization";
  const size_t rank = anchor_type(spec, 0).shape.size();
  for (size_t axis = is_instance ? 1 : first_axis(spec); axis < rank; ++axis)
    if (is_free(spec, 0, axis)) return false;
  return are_free_axes_read(spec);
}

/// Sum over each row of `terms(i, row)`: several vectors of partial sums, combined at the end.
Func row_sum(const std::string& name, const Func& terms, const Rows& of, int width) {
  const Var lane("lane"), row("row");
  const RDom chunk(0, narrow(ceil_div(of.length, width)), "chunk"), all(0, width, "all");
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
Func build(const KernelSpec& spec, KernelBuilder& builder) {
  const Rows of = rows_of(spec).value();
  const int lanes = builder.lanes();
  const int width = of.length >= int64_t{4} * lanes ? 4 * lanes : lanes;
  const int length = narrow(of.length);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var i("i"), row("row"), at("at");
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
  const Expr difference = safe - mean(row);
  square(i, row) =
      is_even ? difference * difference : Halide::select(inside, difference * difference, 0.0f);
  Func variance = row_sum("variance", square, of, width);
  factor(row) = 1.0f / Halide::sqrt(variance(row) * per_element + of.epsilon);

  const auto parameter = [&](size_t operand) {
    std::vector<Expr> position(anchor_type(spec, operand).shape.size(), Expr(0));
    position[0] = of.channels > 0 ? Expr(row % narrow(of.channels)) : Expr(i);
    return operand_value(spec, builder, operand, position);
  };
  Expr result = (value(i) - mean(row)) * factor(row) * parameter(1);
  if (has_operand(spec, 2)) result = result + parameter(2);
  const std::vector<Expr> shape = builder.output_sizes();
  const Expr flat = i + row * length;
  out(i, row) = builder.epilogue(result, unflatten(flat, shape, 0, shape.size()));
  builder.set_output_sizes({length, product(shape, 0, first_axis(spec))});
  out.split(row, row, at, 1, TailStrategy::RoundUp).reorder(i, at, row);
  vectorize_any(out, i, of.length, lanes, 4);
  parallelize(out, {row}, {of.rows}, of.length * 2);
  for (Func* func : {&sum, &mean, &variance, &factor}) func->compute_at(out, at);
  return out;
}

}  // namespace

ScheduleDef layer_norm_schedule() {
  return {.name = "layer_norm",
          .summary = "layer and instance normalisation in two passes over a row",
          .by_rule = by_rule,
          .takes_free = takes_free,
          .priority = 5,
          .pack = nullptr,
          .build = build};
}

}  // namespace opbench
