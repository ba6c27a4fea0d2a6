#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "prediction/analysis/curve.h"
#include "prediction/analysis/curve_forms.h"
#include "prediction/analysis/knee.h"

namespace opbench {

struct TurningPointOptions {
  double tolerance = 0.05;        ///< of n95: how far from the least time is as good
  double least_gain = 10;         ///< of a knee, in BIC
  double least_elasticity = 0.3;  ///< of n_theta
  int replicates = 400;           ///< of the bootstrap
  uint64_t seed = 1;              ///< of the bootstrap
};

/// A place on the axis with its 95 % interval.
struct Place {
  double x = 0;
  double low = 0, high = 0;
  bool operator==(const Place&) const = default;
};

/// Where more of a resource stops to pay.
struct TurningPoint {
  Place best;                      ///< n_best: of the least time
  Place enough;                    ///< n95: the first within the tolerance of the least time
  Place enough_fitted;             ///< the same on the fitted curve
  std::optional<double> marginal;  ///< n_theta: the first where −d ln T / d ln n is below the limit
  Knee knee;
  std::vector<CurveFit> forms;  ///< smallest AICc first; what is fitted is the first
};

/// Finds the turning point of a sweep. Intervals are percentiles of a residual bootstrap (Efron
/// 1979): times as the fitted curve has them, with residuals drawn again, evaluated as the sweep
/// was; they say what another sweep would find.
/// `kInvalidInput` for fewer than three points.
Result<TurningPoint> turning_point_of(const Curve& curve, const TurningPointOptions& options);

}  // namespace opbench
