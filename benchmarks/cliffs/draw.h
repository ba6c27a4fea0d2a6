#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// Seeded choices from which workload texts are made.
class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  /// `low` to `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_.below(static_cast<uint64_t>(high - low + 1)));
  }
  bool once_in(uint64_t count) { return random_.below(count) == 0; }

  int64_t one_of(const std::vector<int64_t>& values) {
    return values[random_.below(values.size())];
  }
  template <class T>
  const T& any(const std::vector<T>& values) {
    return values[random_.below(values.size())];
  }

  /// Extents of `rank` dimensions with about `elements` elements: some small or odd, some long.
  Shape shape(size_t rank, double elements);

  /// The numbers below `count` in any order.
  std::vector<int64_t> order(size_t count);

 private:
  Random random_;
};

/// `1,2,3`
inline std::string list_text(const std::vector<int64_t>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

/// `=1,2,3:int64`, of rank 1.
inline std::string integers_text(const std::vector<int64_t>& values) {
  return fmt::format("={}{}:int64", list_text(values), values.size() == 1 ? "," : "");
}

/// One workload text of a kind. It may be invalid or too small: then the next one is drawn.
using DrawText = std::string (*)(Draw& draw);

/// A kind of workload, and how often it is drawn beside the others.
struct DrawnKind {
  int share = 1;
  DrawText text = nullptr;
};

/// Sums of products: convolutions, transposed convolutions, matrix products.
std::vector<DrawnKind> product_kinds();
/// Along axes and windows: pools, reductions, normalisations, running sums.
std::vector<DrawnKind> axis_kinds();
/// Element by element: chains, functions, comparisons, casts.
std::vector<DrawnKind> element_kinds();
/// Elements moved: transposed, joined, cut, padded, resized, picked by index.
std::vector<DrawnKind> move_kinds();

}  // namespace opbench
