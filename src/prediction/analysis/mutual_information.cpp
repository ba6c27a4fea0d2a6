#include "prediction/analysis/mutual_information.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opbench {
namespace {

/// In nats, with the correction for empty cells that chance fills.
double entropy_of(const std::vector<size_t>& counts, size_t total) {
  double entropy = 0;
  size_t filled = 0;
  for (const size_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(total);
    entropy -= share * std::log(share);
    ++filled;
  }
  return entropy + (static_cast<double>(filled) - 1) / (2 * static_cast<double>(total));
}

}  // namespace

std::vector<size_t> bins_of(std::span<const double> values, size_t most) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  size_t distinct = values.empty() ? 0 : 1;
  for (size_t i = 1; i < order.size(); ++i) {
    if (values[order[i]] != values[order[i - 1]]) ++distinct;
  }
  std::vector<size_t> bins(values.size());
  size_t bin = 0, begin = 0, left = most;
  for (size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i > 0 && values[order[i]] != values[order[i - 1]];
    // Each bin takes its share of the values that are left when it begins.
    const bool is_full = (i - begin) * left >= order.size() - begin;
    if (is_new && (distinct <= most || (is_full && left > 1))) {
      ++bin;
      begin = i;
      left -= left > 1 ? 1 : 0;
    }
    bins[order[i]] = bin;
  }
  return bins;
}

size_t bin_count(std::span<const size_t> bins) {
  return bins.empty() ? 0 : *std::ranges::max_element(bins) + 1;
}

double mutual_information(std::span<const size_t> x, std::span<const size_t> y,
                          std::span<const size_t> order) {
  const size_t width = bin_count(y);
  std::vector<size_t> of_x(bin_count(x)), of_y(width), of_both(of_x.size() * width);
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t own = y[order[i]];
    ++of_x[x[i]];
    ++of_y[own];
    ++of_both[x[i] * width + own];
  }
  const double y_entropy = entropy_of(of_y, x.size());
  if (width < 2 || !(y_entropy > 0)) return 0;
  const double shared = entropy_of(of_x, x.size()) + y_entropy - entropy_of(of_both, x.size());
  return std::clamp(shared / y_entropy, 0.0, 1.0);
}

}  // namespace opbench
