#include <halide14/Halide.h>

#include <algorithm>
#include <limits>

#include "base/numbers/divisors.h"
#include "kernels/schedules/expressions/exponential.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "kernels/schedules/rows/softmax_extents.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> softmax_default_config(const KernelSpec& spec) {
  if (!is_plain(spec)) return std::nullopt;
  const std::optional<SoftmaxExtents> extents = softmax_extents_of(spec);
  if (!extents) return std::nullopt;
  const bool has_pairs = extents->inner == 1 && extents->rows % 2 == 0 && extents->length <= 1024;
  return Config{{"rows", has_pairs ? 2 : 1}};
}

/// The same, free extents included.
struct Sizes {
  Expr rows;
  Expr length;
  Expr inner;
};

Sizes softmax_sizes_of(const KernelSpec& spec, const std::vector<Expr>& shape) {
  const auto [axis, end] = softmax_axes_of(spec);
  return {product(shape, 0, axis), product(shape, axis, end), product(shape, end, shape.size())};
}

/// What both variants share: the input read as (i, inner, row), the result written there.
struct Softmax {
  const KernelSpec& spec;
  SoftmaxExtents extents;  ///< of free ones the least
  Sizes sizes;
  std::vector<Expr> shape;
  bool is_log = false;
  Halide::Func input;

  bool has_free_length() const { return !Halide::Internal::is_const(sizes.length); }
  /// Coordinates of the element `offset` of the output.
  std::vector<Expr> position(const Expr& offset) const {
    return unflatten(offset, shape, 0, shape.size());
  }

  /// Dimension 0 of the input runs on over all elements.
  Expr at(const Expr& offset) const {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = offset;
    return input(position);
  }
  /// What a power is multiplied with, or what is taken from a logarithm.
  Expr scale(const Expr& sum) const { return is_log ? Halide::log(sum) : 1.0f / sum; }
};

/// The difference first: `top + log_sum` loses the logarithm's digits where values are large. The
/// compiler must not change the order of the two, so that both are strict.
Expr log_of(const Expr& value, const Expr& top, const Expr& log_sum) {
  return Halide::strict_float(value - top - log_sum);
}

/// The vectors of a row: `whole` ones, and where a row is longer than a vector one more that ends
/// with it. A shorter row is filled up with minus infinity.
struct RowVectors {
  Expr length;
  int lanes = 1;
  bool is_even = false;   ///< whole vectors, known to be so
  bool is_short = false;  ///< than one vector

  Expr whole() const { return is_short ? Expr(1) : length / lanes; }
  bool has_last() const { return !is_even && !is_short; }
  /// True for the lanes of the last vector that no whole one has.
  Expr is_new(const Expr& lane) const { return lane >= lanes - length % lanes; }
};

RowVectors vectors_of(const Softmax& softmax, int lanes) {
  const int64_t least = softmax.extents.length;
  return {.length = softmax.sizes.length,
          .lanes = lanes,
          .is_even = !softmax.has_free_length() && least % lanes == 0,
          .is_short = least < lanes};
}

/// Rows lie in memory one after the other. Maximum and sum are kept a lane each and combined at the
/// end.
Func softmax_along_rows(const Softmax& softmax, KernelBuilder& builder) {
  const int lanes = builder.lanes();
  const RowVectors vectors = vectors_of(softmax, lanes);
  const Expr& length = vectors.length;
  const Var i("i"), row("row"), lane("lane"), ri("ri"), ro("ro");
  Func value("value"), top("top"), lane_top("lane_top"), power("power"), lane_sum("lane_sum"),
      scale("scale"), out("out");
  const Expr count = vectors.is_short ? (length + lanes - 1) / lanes : vectors.whole();
  const RDom chunk(0, count, "chunk"), all(0, lanes, "all");
  const Expr lowest = -std::numeric_limits<float>::infinity();
  const Expr inside = softmax.at(Halide::min(i, length - 1) + row * length);
  value(i, row) = vectors.is_short ? Halide::select(Halide::likely(i < length), inside, lowest)
                                   : softmax.at(i + row * length);
  lane_top(lane, row) = lowest;
  lane_top(lane, row) = Halide::max(lane_top(lane, row), value(lane + chunk * lanes, row));
  const Expr last = length - lanes + lane;
  if (vectors.has_last()) lane_top(lane, row) = Halide::max(lane_top(lane, row), value(last, row));
  top(row) = lowest;
  top(row) = Halide::max(top(row), lane_top(all, row));
  power(i, row) = exp_of(value(i, row) - top(row));
  lane_sum(lane, row) = 0.0f;
  lane_sum(lane, row) += power(lane + chunk * lanes, row);
  if (vectors.has_last())
    lane_sum(lane, row) += Halide::select(vectors.is_new(lane), power(last, row), 0.0f);
  Func sum("sum");
  sum(row) = 0.0f;
  sum(row) += lane_sum(all, row);
  scale(row) = softmax.scale(sum(row));
  const Expr result =
      softmax.is_log ? log_of(value(i, row), top(row), scale(row)) : power(i, row) * scale(row);
  out(i, row) = builder.epilogue(result, softmax.position(i + row * length));
  builder.set_output_sizes({length, softmax.sizes.rows});

  const auto knob = softmax.spec.config.find("rows");
  const bool is_pair =
      knob != softmax.spec.config.end() && knob->second == 2 && softmax.extents.rows >= 2;
  const int step = is_pair ? 2 : 1;
  out.split(row, ro, ri, step, TailStrategy::ShiftInwards).reorder(i, ri, ro);
  vectorize_any(out, i, softmax.extents.length, lanes, 1);
  out.unroll(ri);
  parallelize(out, {ro}, {ceil_div(softmax.extents.rows, step)}, step * softmax.extents.length * 4);
  for (Func* func : {&top, &sum, &scale}) func->compute_at(out, ro).unroll(row);
  top.update().reorder(all.x, row).unroll(row).atomic().vectorize(all.x);
  sum.update().reorder(all.x, row).unroll(row).atomic().vectorize(all.x);
  for (Func* func : {&lane_top, &lane_sum}) {
    func->compute_at(out, ro).vectorize(lane).unroll(row);
    func->update().reorder(lane, row, chunk.x).vectorize(lane).unroll(row);
    const bool has_few = ceil_div(softmax.extents.length, lanes) <= 16 / step;
    if (has_few && !softmax.has_free_length()) func->update().unroll(chunk.x);
    if (vectors.has_last()) func->update(1).vectorize(lane).unroll(row);
  }
  if (!softmax.is_log) {
    power.compute_at(out, ro);
    if (vectors.is_short)
      power.bound_extent(i, count * lanes).vectorize(i, lanes);
    else
      power.bound_extent(i, length).vectorize(i, lanes, TailStrategy::ShiftInwards);
    power.reorder(row, i).unroll(row);
  }
  return out;
}

/// Another axis: elements of `inner` are independent and lie beside each other.
Func softmax_across(const Softmax& softmax, KernelBuilder& builder) {
  const int64_t rows = softmax.extents.rows, length = softmax.extents.length;
  const int64_t inner = softmax.extents.inner;
  const Var x("x"), i("i"), row("row");
  Func top("top"), power("power"), sum("sum"), scale("scale"), out("out");
  const Sizes& sizes = softmax.sizes;
  const RDom r(0, sizes.length, "r");
  const auto offset = [&](const Expr& at) {
    return x + at * sizes.inner + row * (sizes.inner * sizes.length);
  };
  const auto value = [&](const Expr& at) { return softmax.at(offset(at)); };
  top(x, row) = -std::numeric_limits<float>::infinity();
  top(x, row) = Halide::max(top(x, row), value(r));
  power(x, i, row) = exp_of(value(i) - top(x, row));
  sum(x, row) = 0.0f;
  sum(x, row) += power(x, r, row);
  scale(x, row) = softmax.scale(sum(x, row));
  const Expr result = softmax.is_log ? log_of(value(i), top(x, row), scale(x, row))
                                     : power(x, i, row) * scale(x, row);
  out(x, i, row) = builder.epilogue(result, softmax.position(offset(i)));
  builder.set_output_sizes({sizes.inner, sizes.length, sizes.rows});

  constexpr int kFewestLanes = 4;
  int lanes = builder.lanes();
  while (lanes > inner && lanes > kFewestLanes) lanes /= 2;
  const Var xo("xo"), xi("xi"), at("at");
  const int width =
      lanes > inner ? narrow(inner) : narrow(std::min(inner / lanes, int64_t{4}) * lanes);
  out.split(x, xo, xi, width, TailStrategy::ShiftInwards)
      .split(xo, xo, at, 1, TailStrategy::RoundUp)
      .reorder(xi, i, at, xo, row);
  parallelize(out, {xo, row}, {ceil_div(inner, width), rows}, width * length * 4);
  vectorize_any(out, xi, width, lanes, 1);
  for (Func* func : {&top, &sum}) {
    func->compute_at(out, at);
    vectorize_any(*func, x, width, lanes, 1);
    func->update().reorder(x, r.x);
    if (width % lanes == 0) func->update().vectorize(x, lanes);
  }
  scale.compute_at(out, at);
  vectorize_any(scale, x, width, lanes, 1);
  if (softmax.is_log) return out;
  power.compute_at(out, at);
  vectorize_any(power, x, width, lanes, 1);
  return out;
}

Func build_softmax(const KernelSpec& spec, KernelBuilder& builder) {
  const size_t input = *input_index(spec.workload, 0, 0);
  const std::vector<Expr> shape = builder.sizes(input);
  const Softmax softmax{.spec = spec,
                        .extents = softmax_extents_of(spec).value(),
                        .sizes = softmax_sizes_of(spec, shape),
                        .shape = shape,
                        .is_log = anchor_of(spec).type == "LogSoftmax",
                        .input = builder.operand(input)};
  return softmax.extents.inner == 1 ? softmax_along_rows(softmax, builder)
                                    : softmax_across(softmax, builder);
}

}  // namespace

ScheduleDef softmax_schedule() {
  return {.name = "softmax",
          .summary = "softmax and log-softmax along any axis, lanes reduced at the end",
          .default_config = softmax_default_config,
          .takes_free = are_free_axes_read,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build_softmax};
}

}  // namespace opbench
