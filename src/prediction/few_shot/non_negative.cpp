#include "prediction/few_shot/non_negative.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace opbench {
namespace {

/// Works on A'A and A'b alone.
class ActiveSet {
 public:
  ActiveSet(const DenseMatrix& a, std::span<const double> b)
      : gram_(a.columns, a.columns), right_(a.columns), weights_(a.columns), is_free_(a.columns) {
    for (size_t row = 0; row < a.rows; ++row) {
      for (size_t i = 0; i < a.columns; ++i) {
        right_[i] += a.at(row, i) * b[row];
        for (size_t j = 0; j < a.columns; ++j) gram_.at(i, j) += a.at(row, i) * a.at(row, j);
      }
    }
    for (size_t i = 0; i < a.columns; ++i) largest_ = std::max(largest_, std::abs(right_[i]));
  }

  std::vector<double> solve() {
    // Every weight enters a few times at most; the limit only guards against rounding.
    for (size_t step = 0; step < 10 * weights_.size(); ++step) {
      const size_t entering = steepest();
      if (entering == weights_.size()) break;
      is_free_[entering] = true;
      settle();
    }
    return std::move(weights_);
  }

 private:
  /// The weight at 0 whose growth lowers the error most; the number of weights if none does.
  size_t steepest() const {
    size_t best = weights_.size();
    double most = largest_ * 1e-10;
    for (size_t i = 0; i < weights_.size(); ++i) {
      if (is_free_[i]) continue;
      double slope = right_[i];
      for (size_t j = 0; j < weights_.size(); ++j) slope -= gram_.at(i, j) * weights_[j];
      if (slope <= most) continue;
      most = slope;
      best = i;
    }
    return best;
  }

  /// Moves the free weights to their best values. On the way the first that reaches 0 stays there,
  /// and the others go on without it.
  void settle() {
    for (;;) {
      const std::vector<double> wanted = best_of_free();
      double part = 1;
      size_t first = weights_.size();
      for (size_t i = 0; i < weights_.size(); ++i) {
        if (!is_free_[i] || wanted[i] >= 0) continue;
        const double reach = weights_[i] / (weights_[i] - wanted[i]);
        if (reach >= part) continue;
        part = reach;
        first = i;
      }
      for (size_t i = 0; i < weights_.size(); ++i) weights_[i] += part * (wanted[i] - weights_[i]);
      if (first == weights_.size()) return;
      is_free_[first] = false;
      weights_[first] = 0;
    }
  }

  std::vector<double> best_of_free() const {
    std::vector<size_t> free;
    for (size_t i = 0; i < weights_.size(); ++i) {
      if (is_free_[i]) free.push_back(i);
    }
    DenseMatrix gram(free.size(), free.size()), right(free.size(), 1);
    for (size_t i = 0; i < free.size(); ++i) {
      right.at(i, 0) = right_[free[i]];
      for (size_t j = 0; j < free.size(); ++j) gram.at(i, j) = gram_.at(free[i], free[j]);
    }
    const DenseMatrix found = solve_positive(std::move(gram), std::move(right));
    std::vector<double> values(weights_.size());
    for (size_t i = 0; i < free.size(); ++i) values[free[i]] = found.at(i, 0);
    return values;
  }

  DenseMatrix gram_;
  std::vector<double> right_;
  std::vector<double> weights_;
  std::vector<bool> is_free_;
  double largest_ = 0;
};

}  // namespace

std::vector<double> non_negative_weights(const DenseMatrix& a, std::span<const double> b) {
  assert(a.rows == b.size());
  return ActiveSet(a, b).solve();
}

}  // namespace opbench
