#include "kernels/schedules/rows/lrn_parts.h"

#include <halide14/Halide.h>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

constexpr int64_t kLargestWindow = 65;

/// 1 / sqrt(x): the processor's estimate of 12 bits, improved by one step of Newton's method.
Expr inverse_sqrt(const Expr& x) {
  const Expr estimate = Halide::fast_inverse_sqrt(x);
  return estimate * (1.5f - 0.5f * x * estimate * estimate);
}

}  // namespace

bool is_lrn(const KernelSpec& spec) {
  if (!takes_anchor(spec, "LRN") || anchor_type(spec, 0).shape.size() < 3) return false;
  const int64_t size = int_attribute(anchor_of(spec), "size", 0);
  return size >= 1 && size <= kLargestWindow;
}

Normalisation normalisation_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& shape = anchor_type(spec, 0).shape;
  const int64_t size = int_attribute(node, "size", 1);
  return {.n = shape[0],
          .channels = shape[1],
          .spatial = product(shape, 2, shape.size()),
          .size = size,
          .scale = float_attribute(node, "alpha", 1e-4f) / static_cast<float>(size),
          .beta = float_attribute(node, "beta", 0.75f),
          .bias = float_attribute(node, "bias", 1.0f)};
}

Expr lrn_factor(const Normalisation& of, const Expr& sum) {
  const Expr base = of.bias + of.scale * sum;
  const bool is_positive = of.bias > 0 && of.scale >= 0;
  if (is_positive && of.beta == 0.75f) {
    const Expr root = inverse_sqrt(base);
    return root * root * inverse_sqrt(root);
  }
  if (is_positive && of.beta == 0.5f) return inverse_sqrt(base);
  if (of.beta == 1.0f) return 1.0f / base;
  return Halide::pow(base, -of.beta);
}

Expr lrn_window_sum(const Normalisation& of, const Expr& channel,
                    const std::function<Expr(const Expr&)>& squares) {
  Expr sum;
  for (int64_t d = -((of.size - 1) / 2); d <= of.size / 2; ++d) {
    const Expr term = squares(channel + narrow(d));
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

Func define_plain_lrn(const KernelSpec& spec, KernelBuilder& builder, std::vector<Var>& vars) {
  const Normalisation of = normalisation_of(spec);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const size_t rank = anchor_type(spec, 0).shape.size();
  const Var p("p"), c("c"), n("n");
  const auto at = [&](const Expr& channel) {
    std::vector<Expr> position(rank, Expr(0));
    position[0] = p;
    position[rank - 2] = channel;
    position[rank - 1] = n;
    return input(position);
  };
  const Expr sum = lrn_window_sum(of, c, [&](const Expr& channel) {
    const Expr value = at(Halide::clamp(channel, 0, narrow(of.channels) - 1));
    const Expr is_inside = channel >= 0 && channel < narrow(of.channels);
    return Halide::select(Halide::likely(is_inside), value * value, 0.0f);
  });
  const Shape& shape = anchor_type(spec, 0).shape;
  std::vector<Expr> position = unflatten(p, shape, 2, rank);
  position.insert(position.end(), {c, n});
  Func out("out");
  out(p, c, n) = builder.epilogue(at(c) * lrn_factor(of, sum), position);
  builder.set_output_extents({of.spatial, of.channels, of.n});
  vars = {p, c, n};
  return out;
}

}  // namespace opbench
