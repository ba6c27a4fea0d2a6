#pragma once

#include <optional>
#include <vector>

namespace opbench {

/// Split conformal prediction (Vovk et al. 2005): how far predictions were off where they had not
/// been seen, as |log(measured / predicted)|.
class IntervalScale {
 public:
  IntervalScale() = default;
  explicit IntervalScale(std::vector<double> scores);

  size_t size() const { return count_; }
  const std::vector<double>& scores() const { return scores_; }

  /// The score that a new one does not exceed with probability `level` (0 … 1): the
  /// ceil((n + 1) level)-th smallest. Nothing where so few scores promise no such level.
  std::optional<double> half_width(double level) const;

  /// Kept as at most kKept scores, each rounded up; `count` is how many there were.
  static constexpr size_t kKept = 400;
  static IntervalScale from_kept(std::vector<double> scores, size_t count);

 private:
  std::vector<double> scores_;  ///< ascending
  size_t count_ = 0;
};

}  // namespace opbench
