#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace opbench {

/// Spearman's rank correlation (1904): of equal values each has the mean of their ranks. 0 where
/// one of the two is constant.
inline double rank_correlation(std::span<const double> x, std::span<const double> y) {
  const auto ranks = [](std::span<const double> values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) { return values[i]; });
    std::vector<double> result(values.size());
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
      for (size_t i = begin; i < end; ++i)
        result[order[i]] = static_cast<double>(begin + end - 1) / 2;
    }
    return result;
  };
  const std::vector<double> a = ranks(x), b = ranks(y);
  const double middle = static_cast<double>(x.size() - 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) * (a[i] - middle);
    bb += (b[i] - middle) * (b[i] - middle);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace opbench
