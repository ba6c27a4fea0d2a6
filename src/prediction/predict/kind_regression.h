#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "prediction/predict/key_kinds.h"
#include "prediction/predict/unit_sample.h"

namespace opbench {

/// Ceer's form of a predictor (Hafeez and Gandhi, IISWC 2020): one linear regression a kind of
/// heavy operators on what its kernels compute and touch, the median of all samples for a light
/// kind.
class KindRegression {
 public:
  explicit KindRegression(const SampleSet& samples);

  /// Seconds of a unit inside a model. A kind without samples has the median of all.
  double unit_s(const UnitFeatures& features) const;

  /// Shares of the samples' models, each as often as it runs there.
  const std::vector<KindShare>& kinds() const { return kinds_; }

 private:
  /// Seconds of a call, a FLOP, a byte that is no weight, a byte of weights; none is negative.
  using Rates = std::array<double, 4>;
  using Samples = std::vector<const UnitSample*>;
  static Rates rates_of(const Samples& samples);

  std::map<std::string, Rates> rates_;  ///< of light kinds only the first is not 0
  std::vector<KindShare> kinds_;
  double median_s_ = 0;
};

}  // namespace opbench
