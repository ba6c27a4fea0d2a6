#include "kernels/schedules/rows/flat_loops.h"

#include <halide14/Halide.h>

#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

constexpr int64_t kTaskElements = 16384;

/// `extents` innermost first.
std::vector<Expr> coordinates(const Expr& flat, const std::vector<Expr>& extents) {
  std::vector<Expr> result;
  Expr rest = flat;
  for (size_t i = 0; i < extents.size(); ++i) {
    const bool is_last = i + 1 == extents.size();
    const Expr& extent = extents[i];
    if (Halide::Internal::is_const_one(extent)) {
      result.emplace_back(0);
      continue;
    }
    result.push_back(is_last ? rest : rest % extent);
    rest = rest / extent;
  }
  return result;
}

/// At most `most`: the last step of that many vectors computes few of `vectors` again.
int even_unroll(int64_t vectors, int most) {
  int unroll = most;
  while (unroll > 1 && 8 * ceil_div(vectors, int64_t{unroll}) * unroll > 9 * vectors) --unroll;
  return unroll;
}

}  // namespace

std::vector<Expr> unflatten(const Expr& flat, const std::vector<int64_t>& extents) {
  std::vector<Expr> all;
  for (const int64_t extent : extents) all.emplace_back(narrow(extent));
  return coordinates(flat, all);
}

std::vector<Expr> unflatten(const Expr& flat, const std::vector<Expr>& sizes, size_t first,
                            size_t last) {
  std::vector<Expr> extents(sizes.begin() + static_cast<std::ptrdiff_t>(first),
                            sizes.begin() + static_cast<std::ptrdiff_t>(last));
  std::ranges::reverse(extents);
  return coordinates(flat, extents);
}

Expr product(const std::vector<Expr>& sizes, size_t first, size_t last) {
  Expr result = 1;
  for (size_t i = first; i < last; ++i) result = result * sizes[i];
  return result;
}

std::vector<Expr> unflatten(const Expr& flat, const Shape& shape, size_t first, size_t last) {
  std::vector<int64_t> extents(shape.begin() + static_cast<std::ptrdiff_t>(first),
                               shape.begin() + static_cast<std::ptrdiff_t>(last));
  std::ranges::reverse(extents);
  return unflatten(flat, extents);
}

void vectorize_any(Func& func, const Var& var, int64_t extent, int lanes, int unroll) {
  const Var inner("vi");
  unroll = even_unroll(ceil_div(extent, int64_t{lanes}), unroll);
  if (extent >= int64_t{unroll} * lanes && unroll > 1) {
    func.split(var, var, inner, unroll * lanes, TailStrategy::ShiftInwards);
    func.vectorize(inner, lanes).unroll(inner);
  } else if (extent >= lanes) {
    func.vectorize(var, lanes, TailStrategy::ShiftInwards);
  } else if (extent == lanes / 2 || extent == lanes / 4) {
    func.vectorize(var, narrow(extent), TailStrategy::ShiftInwards);
  }
}

void parallelize(Func& func, std::vector<Var> outer, const std::vector<int64_t>& extents,
                 int64_t inner) {
  constexpr int64_t kEnoughTasks = 8;
  int64_t total = 1;
  for (const int64_t extent : extents) total *= extent;
  if (outer.empty() || total == 1 || total * inner <= kTaskElements) return;
  // Fused loops cost a division a step: those that are not needed for parallel tasks stay loops.
  for (const int64_t extent : extents) {
    if (total / extent < kEnoughTasks || outer.size() == 1) break;
    total /= extent;
    inner *= extent;
    outer.erase(outer.begin());
  }
  Var fused = outer[0];
  for (size_t i = 1; i < outer.size(); ++i) {
    const Var next("fused" + std::to_string(i));
    func.fuse(fused, outer[i], next);
    fused = next;
  }
  const int64_t piece = std::max<int64_t>(1, std::min(kTaskElements / inner, total / 2));
  if (piece > 1) {
    const Var task("task");
    func.split(fused, task, fused, narrow(piece), TailStrategy::GuardWithIf).parallel(task);
  } else {
    func.parallel(fused);
  }
}

void schedule_stream(Func& func, const std::vector<Var>& vars, const std::vector<int64_t>& extents,
                     int lanes) {
  std::vector<Var> outer(vars.begin() + 1, vars.end());
  std::vector<int64_t> counts(extents.begin() + 1, extents.end());
  int64_t inner = extents[0];
  if (inner >= 4 * kTaskElements || (outer.empty() && inner >= 2 * kTaskElements)) {
    const Var piece("piece");
    func.split(vars[0], piece, vars[0], narrow(kTaskElements), TailStrategy::ShiftInwards);
    std::vector<Var> order = {vars[0], piece};
    order.insert(order.end(), outer.begin(), outer.end());
    func.reorder(std::vector<Halide::VarOrRVar>(order.begin(), order.end()));
    outer.insert(outer.begin(), piece);
    counts.insert(counts.begin(), ceil_div(inner, kTaskElements));
    inner = kTaskElements;
  }
  vectorize_any(func, vars[0], inner, lanes, 4);
  if (inner == lanes && !outer.empty() && counts[0] >= 4) {
    const Var step("step");
    func.split(outer[0], outer[0], step, 4, TailStrategy::ShiftInwards).unroll(step);
    counts[0] = ceil_div(counts[0], 4);
    inner *= 4;
  }
  parallelize(func, outer, counts, inner);
}

}  // namespace opbench
