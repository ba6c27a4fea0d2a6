#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prediction/analysis/curve.h"

namespace opbench {

enum class CurveForm {
  kPower,     ///< T = a n^b: a straight line of ln T over ln n
  kAmdahl,    ///< T = a + b / n (Amdahl 1967), a, b ≥ 0
  kUsl,       ///< T = T1 (1 + σ (n − 1) + κ n (n − 1)) / n (Gunther 2007), σ, κ ≥ 0
  kHockney,   ///< T = t0 + n / r (Hockney 1982), both ≥ 0
  kTwoLines,  ///< two lines in log-log, each with its own intercept
  kBentLine,  ///< two lines in log-log that meet
  kValley,    ///< falling, then rising, without a formula (isotonic)
};

/// `power`, `amdahl`, `usl`, `hockney`, `two-lines`, `bent-line`, `valley`
std::string_view name_of(CurveForm form);

/// A parameter by its name in the formula.
struct CurveParameter {
  std::string name;
  double value = 0;
  bool operator==(const CurveParameter&) const = default;
};

/// A form fitted to a curve.
struct CurveFit {
  CurveForm form = CurveForm::kPower;
  std::vector<CurveParameter> parameters;
  size_t size = 0;             ///< how many numbers were fitted
  std::vector<double> fitted;  ///< time at every point of the curve
  double squares = 0;          ///< sum of squared residuals of ln T
  double mean_error = 0;       ///< mean of |fitted / measured − 1|
  double aicc = 0;             ///< Akaike's criterion, corrected (Hurvich and Tsai 1989)
  double bic = 0;              ///< bic_of() of segments.h
};

/// The form fitted to the curve, by relative error; nothing where the curve has too few points for
/// it, or x not above 0 where the form needs that.
std::optional<CurveFit> fit_form(CurveForm form, const Curve& curve);

/// All forms that can be fitted, the smallest AICc first. One at least for three points or more.
std::vector<CurveFit> fit_forms(const Curve& curve);

/// The parameter of that name; nothing where the form has none.
std::optional<double> parameter_of(const CurveFit& fit, std::string_view name);

/// Of a USL fit the n of the least time: sqrt((1 − σ) / κ); nothing where κ is 0.
std::optional<double> usl_optimum(const CurveFit& fit);

/// Of a Hockney fit the size at which half of the rate is reached: t0 r.
std::optional<double> half_performance_size(const CurveFit& fit);

}  // namespace opbench
