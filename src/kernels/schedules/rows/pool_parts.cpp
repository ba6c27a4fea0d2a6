#include "kernels/schedules/rows/pool_parts.h"

#include <halide14/Halide.h>

#include <limits>
#include <utility>

#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "model/operators/windows/pooling.h"

namespace opbench {
namespace {

using Halide::Expr;

/// Taps of output `at` along `axis` that read positions in [low, high).
Expr taps_within(const WindowAxis& axis, const Expr& at, int64_t low, int64_t high) {
  const Expr start = at * narrow(axis.stride) - narrow(axis.pad_begin);
  const int step = narrow(axis.dilation);
  const Expr first = Halide::max(0, (narrow(low) - start + step - 1) / step);
  const Expr last = Halide::min(narrow(axis.kernel), (narrow(high) - start + step - 1) / step);
  return last - first;
}

/// One over the elements that an average counts, by `count_include_pad`.
Expr average_weight(const KernelSpec& spec, const std::vector<WindowAxis>& axes,
                    const std::vector<Expr>& places) {
  const bool includes_pad = int_attribute(anchor_of(spec), "count_include_pad", 0) != 0;
  Expr elements = 1;
  for (size_t d = 0; d < axes.size(); ++d) {
    const WindowAxis& axis = axes[d];
    const int64_t low = includes_pad ? -axis.pad_begin : 0;
    const int64_t high = axis.input + (includes_pad ? axis.pad_end : 0);
    elements = elements * (is_whole(axis, low, high) ? Expr(narrow(axis.kernel))
                                                     : taps_within(axis, places[d], low, high));
  }
  return 1.0f / Halide::cast<float>(Halide::max(elements, 1));
}

}  // namespace

bool is_pool(const KernelSpec& spec) {
  if (!takes_moving_anchor(spec, "MaxPool") && !takes_anchor(spec, "AveragePool") &&
      !takes_anchor(spec, "LpPool"))
    return false;
  return int_attribute(anchor_of(spec), "p", 2) <= 2;
}

PoolKind pool_kind(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (node.type == "MaxPool") return PoolKind::kMax;
  if (node.type == "AveragePool") return PoolKind::kAverage;
  return int_attribute(node, "p", 2) == 1 ? PoolKind::kSumOfSizes : PoolKind::kRootOfSquares;
}

std::optional<Window> window_of_anchor(const KernelSpec& spec) {
  const OperatorCall call = call_of(anchor_of(spec), spec.workload.graph, spec.workload.opset);
  Result<Window> window = pool_window(call);
  if (!window || window->empty() || window->size() > 3) return std::nullopt;
  return *std::move(window);
}

bool is_whole(const WindowAxis& axis, int64_t low, int64_t high) {
  return axis.position(0, 0) >= low && axis.position(axis.output - 1, axis.kernel - 1) < high;
}

Expr entering_pool(PoolKind kind, const Expr& value) {
  if (kind == PoolKind::kSumOfSizes) return Halide::abs(value);
  return kind == PoolKind::kRootOfSquares ? value * value : value;
}

Expr joined_in_pool(PoolKind kind, const Expr& a, const Expr& b) {
  if (!a.defined()) return b;
  return kind == PoolKind::kMax ? Halide::max(a, b) : a + b;
}

Expr neutral_of_pool(PoolKind kind, const Halide::Type& element) {
  if (kind != PoolKind::kMax) return 0.0f;
  return element.is_float() ? Expr(-std::numeric_limits<float>::infinity()) : element.min();
}

Expr finished_pool(const KernelSpec& spec, const std::vector<WindowAxis>& axes,
                   const std::vector<Expr>& places, const Expr& value) {
  const PoolKind kind = pool_kind(spec);
  if (kind == PoolKind::kAverage) return value * average_weight(spec, axes, places);
  return kind == PoolKind::kRootOfSquares ? Halide::sqrt(value) : value;
}

}  // namespace opbench
