#pragma once

#include <optional>
#include <vector>

#include "kernels/schedules/schedule.h"
#include "model/operators/windows/window.h"

namespace Halide {
struct Expr;
struct Type;
}  // namespace Halide

namespace opbench {

enum class PoolKind { kMax, kAverage, kSumOfSizes, kRootOfSquares };

/// True for a unit that begins with a pool over windows: a MaxPool (also of integers), an
/// AveragePool, an LpPool of p 1 or 2.
bool is_pool(const KernelSpec& spec);

/// Its kind, and its window over 1 to 3 axes, outermost first.
PoolKind pool_kind(const KernelSpec& spec);
std::optional<Window> window_of_anchor(const KernelSpec& spec);

/// True if every output of the axis has all taps in [low, high).
bool is_whole(const WindowAxis& axis, int64_t low, int64_t high);

/// An element as it enters the pool; two of them, the first undefined or not, as one; what changes
/// no other.
Halide::Expr entering_pool(PoolKind kind, const Halide::Expr& value);
Halide::Expr joined_in_pool(PoolKind kind, const Halide::Expr& a, const Halide::Expr& b);
Halide::Expr neutral_of_pool(PoolKind kind, const Halide::Type& element);

/// The result of output `places` (as `axes`, innermost first) from its joined elements: an average
/// divides by those that `count_include_pad` counts.
Halide::Expr finished_pool(const KernelSpec& spec, const std::vector<WindowAxis>& axes,
                           const std::vector<Halide::Expr>& places, const Halide::Expr& value);

}  // namespace opbench
