#include "benchmarks/cliffs/drawn_workloads.h"

#include <algorithm>
#include <cmath>

#include "benchmarks/cliffs/draw.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

constexpr double kFewestFlops = 1e4;
constexpr double kMostFlops = 2e9;
constexpr double kFewestBytes = 1 << 17;  ///< of what is moved and not computed on
constexpr double kMostBytes = 1 << 25;
constexpr size_t kMostDraws = 10'000'000;

bool is_of_size(const Workload& workload) {
  const double flops = flops_of(workload), bytes = bytes_of(workload);
  const bool is_enough = flops >= kFewestFlops || bytes >= kFewestBytes;
  return is_enough && flops <= kMostFlops && bytes <= kMostBytes;
}

/// Every kind as often as its share says.
std::vector<DrawText> all_kinds() {
  std::vector<DrawText> texts;
  for (const auto& kinds : {product_kinds(), axis_kinds(), element_kinds(), move_kinds()})
    for (const DrawnKind& kind : kinds) texts.insert(texts.end(), kind.share, kind.text);
  return texts;
}

}  // namespace

Shape Draw::shape(size_t rank, double elements) {
  Shape extents(rank, 1);
  double left = elements;
  const std::vector<int64_t> axes = order(rank);
  for (size_t i = 0; i < rank; ++i) {
    const bool is_last = i + 1 == rank;
    const double even = std::pow(left, 1.0 / static_cast<double>(rank - i));
    const double wanted = is_last ? left : even * (0.2 + 1.8 * random_.uniform());
    int64_t extent = std::max<int64_t>(1, std::llround(wanted));
    if (!is_last && once_in(6)) extent = between(1, 3);
    extents[static_cast<size_t>(axes[i])] = extent;
    left = std::max(1.0, left / static_cast<double>(extent));
  }
  return extents;
}

std::vector<int64_t> Draw::order(size_t count) {
  std::vector<int64_t> result;
  for (const size_t i : random_.shuffled(count)) result.push_back(static_cast<int64_t>(i));
  return result;
}

std::vector<std::string> drawn_workloads(uint64_t seed, size_t count, const std::string& only) {
  const std::vector<DrawText> kinds = all_kinds();
  Draw draw(seed);
  std::vector<std::string> texts;
  for (size_t left = kMostDraws; texts.size() < count && left > 0; --left) {
    const std::string text = draw.any(kinds)(draw);
    if (text.empty() || !text.starts_with(only)) continue;
    const auto workload = parse_workload(text);
    if (workload && is_of_size(*workload)) texts.push_back(text_of(*workload));
  }
  return texts;
}

}  // namespace opbench
