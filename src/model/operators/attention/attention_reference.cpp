#include "model/operators/attention/attention_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace opbench {
namespace {

/// Exponentials divided by their sum, to which the score `sink` adds; all 0 where every key is
/// masked.
void softmax(std::vector<double>& row, double sink) {
  const double top = row.empty() ? sink : std::max(sink, std::ranges::max(row));
  double sum = sink == kMaskedScore ? 0 : std::exp(sink - top);
  for (double& value : row) {
    value = top == kMaskedScore ? 0 : std::exp(value - top);
    sum += value;
  }
  for (double& value : row) value = sum == 0 ? 0 : value / sum;
}

void store_row(const std::vector<double>& row, float* to) {
  if (to == nullptr) return;
  std::ranges::transform(row, to, [](double value) { return static_cast<float>(value); });
}

/// One query's weights over the keys. `stages` receives the values of the stage asked for, unless
/// null.
std::vector<double> weights_of(const AttentionReference& a, std::array<int64_t, 3> at,
                               float* stages) {
  const auto [image, head, query] = at;
  const float* q = a.queries + a.query.offset(image, head, query);
  std::vector<double> row(static_cast<size_t>(a.key.steps));
  const auto store = [&](int64_t stage) {
    if (stage == a.score_stage) store_row(row, stages);
  };
  for (int64_t j = 0; j < a.key.steps; ++j) {
    const float* key = a.keys + a.key.offset(image, a.key_head(head), j);
    double sum = 0;
    for (int64_t e = 0; e < a.key.size; ++e) sum += static_cast<double>(q[e]) * key[e];
    row[static_cast<size_t>(j)] = sum * a.scale;
  }
  store(0);
  if (a.softcap > 0) {
    for (double& value : row) value = a.softcap * std::tanh(value / a.softcap);
  }
  store(1);
  for (int64_t j = 0; j < a.key.steps; ++j) {
    row[static_cast<size_t>(j)] += a.bias(image, head, query, j);
  }
  store(2);
  softmax(row, a.sink ? a.sink(head) : kMaskedScore);
  store(3);
  return row;
}

/// The values weighed, 0 for those of weight 0.
void weigh(const AttentionReference& a, const std::vector<double>& weights,
           std::array<int64_t, 3> at, float* y) {
  const auto [image, head, query] = at;
  std::vector<double> sums(static_cast<size_t>(a.value.size));
  for (size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0) continue;
    const float* value =
        a.values + a.value.offset(image, a.key_head(head), static_cast<int64_t>(j));
    for (size_t e = 0; e < sums.size(); ++e) sums[e] += weights[j] * static_cast<double>(value[e]);
  }
  store_row(sums, y + a.result.offset(image, head, query));
}

}  // namespace

void attend(const AttentionReference& attention, float* y, float* scores) {
  const HeadLayout& q = attention.query;
  for (int64_t image = 0; image < q.batch; ++image) {
    for (int64_t head = 0; head < q.heads; ++head) {
      for (int64_t i = 0; i < q.steps; ++i) {
        const int64_t row = (image * q.heads + head) * q.steps + i;
        const auto weights =
            weights_of(attention, {image, head, i},
                       scores == nullptr ? nullptr : scores + row * attention.key.steps);
        if (y != nullptr) weigh(attention, weights, {image, head, i}, y);
      }
    }
  }
}

}  // namespace opbench
