#include "prediction/predict/interval_scale.h"

#include <algorithm>
#include <cmath>

namespace opbench {

IntervalScale::IntervalScale(std::vector<double> scores) : scores_(std::move(scores)) {
  std::ranges::sort(scores_);
  count_ = scores_.size();
  if (count_ <= kKept) return;
  std::vector<double> kept;
  for (size_t i = 1; i <= kKept; ++i) kept.push_back(scores_[(i * count_ + kKept - 1) / kKept - 1]);
  scores_ = std::move(kept);
}

IntervalScale IntervalScale::from_kept(std::vector<double> scores, size_t count) {
  IntervalScale scale;
  scale.scores_ = std::move(scores);
  scale.count_ = count;
  return scale;
}

std::optional<double> IntervalScale::half_width(double level) const {
  const auto count = static_cast<double>(count_);
  const double rank = std::ceil((count + 1) * level - 1e-9);
  if (count_ == 0 || rank > count) return {};
  const double place = std::max(rank, 1.0) / count * static_cast<double>(scores_.size());
  return scores_[static_cast<size_t>(std::ceil(place - 1e-9)) - 1];
}

}  // namespace opbench
