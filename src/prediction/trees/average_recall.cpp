#include "prediction/trees/average_recall.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace opbench {
namespace {

std::vector<size_t> best_first(std::span<const float> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return values[a] > values[b]; });
  return order;
}

}  // namespace

double average_recall(std::span<const float> predicted, std::span<const float> labels,
                      size_t most) {
  const std::vector<size_t> truth = best_first(labels);
  std::vector<size_t> rank(truth.size());
  for (size_t i = 0; i < truth.size(); ++i) rank[truth[i]] = i;
  const std::vector<size_t> order = best_first(predicted);
  const size_t places = std::min(most, order.size());
  // found[i]: how many places before the i-th hold a rank of at most i, from when on they count.
  std::vector<size_t> found(places + 1, 0);
  for (size_t j = 0; j < places; ++j) {
    const size_t from = std::max(rank[order[j]], j + 1);
    if (from < places) ++found[from];
  }
  double sum = 0;
  for (size_t i = 0, count = 0; i < places; ++i) {
    count += found[i];
    sum += static_cast<double>(count) / static_cast<double>(i + 1);
  }
  return sum / static_cast<double>(most);
}

}  // namespace opbench
