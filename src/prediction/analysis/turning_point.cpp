#include "prediction/analysis/turning_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/random.h"
#include "prediction/analysis/segments.h"

namespace opbench {
namespace {

std::vector<double> turning_point_times_of(const Curve& curve) {
  std::vector<double> times;
  for (const CurvePoint& point : curve) times.push_back(point.y);
  return times;
}

/// Residuals of ln T, widened by the freedom that the fit took.
std::vector<double> residuals_of(const Curve& curve, const CurveFit& fit) {
  const double free = static_cast<double>(curve.size()) - static_cast<double>(fit.size);
  const double widened = std::sqrt(static_cast<double>(curve.size()) / std::max(free, 1.0));
  std::vector<double> residuals;
  for (size_t i = 0; i < curve.size(); ++i) {
    residuals.push_back(std::log(curve[i].y / fit.fitted[i]) * widened);
  }
  return residuals;
}

Curve drawn_again(const Curve& curve, const CurveFit& fit, const std::vector<double>& residuals,
                  Random& random) {
  Curve drawn = curve;
  for (size_t i = 0; i < curve.size(); ++i) {
    drawn[i].y = fit.fitted[i] * std::exp(residuals[random.below(residuals.size())]);
  }
  return drawn;
}

/// The places that replicates had.
struct Spread {
  std::vector<double> values;
  void set_interval(double& low, double& high) {
    constexpr double kTail = 0.025;
    std::ranges::sort(values);
    const auto last = static_cast<double>(values.size() - 1);
    low = std::min(low, values[static_cast<size_t>(std::floor(kTail * last))]);
    high = std::max(high, values[static_cast<size_t>(std::ceil((1 - kTail) * last))]);
  }
};

void set_intervals(const Curve& curve, const TurningPointOptions& options, TurningPoint& point) {
  const CurveFit& fit = point.forms.front();
  const std::vector<double> residuals = residuals_of(curve, fit);
  Random random(options.seed, "bootstrap of a sweep");
  Spread best, enough, fitted;
  for (int i = 0; i < options.replicates; ++i) {
    const Curve drawn = drawn_again(curve, fit, residuals, random);
    const std::vector<double> times = turning_point_times_of(drawn);
    best.values.push_back(curve[fastest_of(times)].x);
    enough.values.push_back(curve[first_within(times, options.tolerance)].x);
    const auto again = fit_form(fit.form, drawn);
    if (again) fitted.values.push_back(curve[first_within(again->fitted, options.tolerance)].x);
  }
  best.set_interval(point.best.low, point.best.high);
  enough.set_interval(point.enough.low, point.enough.high);
  if (!fitted.values.empty()) {
    fitted.set_interval(point.enough_fitted.low, point.enough_fitted.high);
  }
}

/// A knee's interval comes from its own form, whichever fits best.
void set_knee_interval(const Curve& curve, const TurningPointOptions& options, Knee& knee) {
  const auto fit = fit_form(CurveForm::kTwoLines, curve);
  if (!knee.exists() || !fit) return;
  const std::vector<double> residuals = residuals_of(curve, *fit);
  Random random(options.seed, "bootstrap of a knee");
  Spread breaks;
  for (int i = 0; i < options.replicates; ++i) {
    const Segments two = segments_of(drawn_again(curve, *fit, residuals, random), 2);
    breaks.values.push_back(curve[two.ends[0] - 1].x);
  }
  breaks.set_interval(knee.low, knee.high);
}

std::optional<double> marginal_of(const Curve& curve, const CurveFit& fit, double least) {
  if (!(curve.front().x > 0)) return {};
  for (size_t i = 0; i + 1 < curve.size(); ++i) {
    const double gained = std::log(fit.fitted[i] / fit.fitted[i + 1]);
    if (gained / std::log(curve[i + 1].x / curve[i].x) < least) return curve[i].x;
  }
  return {};
}

}  // namespace

Result<TurningPoint> turning_point_of(const Curve& curve, const TurningPointOptions& options) {
  constexpr size_t kLeastPoints = 3;
  if (curve.size() < kLeastPoints) {
    return Error{ErrorCode::kInvalidInput, fmt::format("a sweep of {} value{} has no turning point",
                                                       curve.size(), curve.size() == 1 ? "" : "s")}
        .with("needed", "3 values for the least resource that is enough, 8 for a knee");
  }
  TurningPoint point;
  point.forms = fit_forms(curve);
  const std::vector<double> times = turning_point_times_of(curve);
  const auto at = [&](size_t index) {
    const double x = curve[index].x;
    return Place{x, x, x};
  };
  point.best = at(fastest_of(times));
  point.enough = at(first_within(times, options.tolerance));
  point.enough_fitted = at(first_within(point.forms.front().fitted, options.tolerance));
  // Plateaus of a valley have no slope of their own.
  const auto formula = std::ranges::find_if(
      point.forms, [](const CurveFit& fit) { return fit.form != CurveForm::kValley; });
  point.marginal = marginal_of(curve, *formula, options.least_elasticity);
  point.knee = find_knee(curve, options.least_gain, options.seed);
  set_intervals(curve, options, point);
  set_knee_interval(curve, options, point.knee);
  return point;
}

}  // namespace opbench
