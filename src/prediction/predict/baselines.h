#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "prediction/predict/kind_regression.h"
#include "prediction/predict/unit_sample.h"

namespace opbench {

/// Ways to predict times in models that need no trees: what a predictor must beat.
enum class Baseline {
  kNearest,     ///< the most similar sample of the kind, scaled by the roofline
  kRegression,  ///< KindRegression: one regression a kind, medians for light kinds
  kRoofline,    ///< the roofline times one constant
  kFlops,       ///< FLOPs times one constant
};
constexpr std::array<Baseline, 4> kBaselines = {Baseline::kNearest, Baseline::kRegression,
                                                Baseline::kRoofline, Baseline::kFlops};

/// `nearest unit`, `regression a kind`, `roofline`, `FLOPs`
std::string name_of(Baseline baseline);

/// All of them, fitted to samples.
class Baselines {
 public:
  explicit Baselines(const SampleSet& samples);

  /// Seconds of a unit inside a model.
  double unit_s(Baseline baseline, const UnitFeatures& features) const;

  /// Seconds of a model: the sum times what models of the samples took over their sums.
  double model_s(Baseline baseline, const std::vector<CountedUnit>& units) const;

 private:
  /// A sample of which only what the nearest one is sought by is kept.
  struct Neighbour {
    std::vector<float> values;
    double ratio = 1;  ///< time over bound
  };
  double nearest_ratio(const UnitFeatures& features) const;
  double sum_s(Baseline baseline, const std::vector<CountedUnit>& units) const;

  std::map<std::string, std::vector<Neighbour>> neighbours_;  ///< by kind
  std::vector<float> spread_;                                 ///< of each value
  KindRegression regression_;
  double median_ratio_ = 1;
  double seconds_per_flop_ = 0;
  std::map<Baseline, double> factors_;
};

}  // namespace opbench
