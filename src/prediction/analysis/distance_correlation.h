#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opbench {

/// Distance correlation of one series with rearrangements of another (Székely, Rizzo and Bakirov
/// 2007): 0 only for independence, whatever the form of the dependence. Each takes O(n log n)
/// (Huo and Székely 2016). Both series have at least one value and the same length.
class DistanceCorrelation {
 public:
  DistanceCorrelation(std::span<const double> x, std::span<const double> y);

  /// Of x[i] with y[order[i]]: in [0, 1]; 0 where one series is constant. `order`: a permutation of
  /// the places.
  double of(std::span<const size_t> order) const;

  /// Of the series as they are.
  double value() const;

 private:
  std::vector<double> x_, y_;        ///< centred and scaled; x ascends
  std::vector<size_t> place_;        ///< of each x in the series as given
  std::vector<size_t> y_rank_;       ///< from 1, for each y as given
  std::vector<double> x_distances_;  ///< sum of the distances to all others, x ascending
  std::vector<double> y_distances_;  ///< likewise, y as given
  double scale_ = 0;                 ///< sqrt of the product of the distance variances
};

}  // namespace opbench
