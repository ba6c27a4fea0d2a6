#include "prediction/analysis/curve_forms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "prediction/analysis/isotonic.h"
#include "prediction/analysis/least_squares.h"
#include "prediction/analysis/segments.h"

namespace opbench {
namespace {

constexpr std::array kForms = {CurveForm::kPower,   CurveForm::kAmdahl,   CurveForm::kUsl,
                               CurveForm::kHockney, CurveForm::kTwoLines, CurveForm::kBentLine,
                               CurveForm::kValley};

std::vector<double> curve_forms_times_of(const Curve& curve) {
  std::vector<double> times;
  for (const CurvePoint& point : curve) times.push_back(point.y);
  return times;
}

template <class Function>
std::vector<double> column(const Curve& curve, const Function& value) {
  std::vector<double> values;
  for (const CurvePoint& point : curve) values.push_back(value(point.x));
  return values;
}

/// What a form makes of the curve, before its criteria are known.
struct Draft {
  std::vector<CurveParameter> parameters;
  size_t size = 0;
  std::vector<double> fitted;
};

/// A sum of columns with coefficients of at least 0.
std::vector<double> sum_of(const std::vector<std::vector<double>>& columns,
                           const std::vector<double>& coefficients) {
  std::vector<double> sum(columns.front().size(), 0.0);
  for (size_t k = 0; k < columns.size(); ++k) {
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += coefficients[k] * columns[k][i];
  }
  return sum;
}

std::vector<double> exponentials(std::vector<double> values) {
  for (double& value : values) value = std::exp(value);
  return values;
}

Draft power(const Curve& curve) {
  const std::vector<double> x = abscissa_of(curve);
  const FittedLine line = LineSums(x, log_times_of(curve)).through(0, x.size());
  Draft draft{{{"a", std::exp(line.intercept)}, {"b", line.slope}}, 2, {}};
  for (const double value : x) draft.fitted.push_back(std::exp(line.at(value)));
  return draft;
}

Draft amdahl(const Curve& curve) {
  const std::vector<std::vector<double>> columns = {column(curve, [](double) { return 1.0; }),
                                                    column(curve, [](double n) { return 1 / n; })};
  const std::vector<double> c = non_negative_fit(columns, curve_forms_times_of(curve));
  return {{{"a", c[0]}, {"b", c[1]}}, 2, sum_of(columns, c)};
}

Draft usl(const Curve& curve) {
  const std::vector<std::vector<double>> columns = {
      column(curve, [](double n) { return 1 / n; }),
      column(curve, [](double n) { return (n - 1) / n; }),
      column(curve, [](double n) { return n - 1; })};
  const std::vector<double> c = non_negative_fit(columns, curve_forms_times_of(curve));
  Draft draft{{{"T1", c[0]}}, 3, sum_of(columns, c)};
  if (c[0] > 0) {
    draft.parameters.push_back({"sigma", c[1] / c[0]});
    draft.parameters.push_back({"kappa", c[2] / c[0]});
  }
  return draft;
}

Draft hockney(const Curve& curve) {
  const std::vector<std::vector<double>> columns = {column(curve, [](double) { return 1.0; }),
                                                    column(curve, [](double n) { return n; })};
  const std::vector<double> c = non_negative_fit(columns, curve_forms_times_of(curve));
  return {{{"t0", c[0]}, {"1/r", c[1]}}, 2, sum_of(columns, c)};
}

Draft two_lines(const Curve& curve) {
  const std::vector<double> x = abscissa_of(curve);
  const Segments segments = segments_of(curve, 2);
  Draft draft{{{"break", curve[segments.ends[0] - 1].x},
               {"slope_before", segments.lines[0].slope},
               {"slope_behind", segments.lines[1].slope}},
              5,
              {}};
  for (size_t i = 0; i < x.size(); ++i) {
    draft.fitted.push_back(std::exp(segments.lines[i < segments.ends[0] ? 0 : 1].at(x[i])));
  }
  return draft;
}

Draft bent_line(const Curve& curve) {
  const std::vector<double> x = abscissa_of(curve);
  const BentLine bent = bent_line_of(curve);
  Draft draft{{{"break", curve[bent.bend].x},
               {"slope_before", bent.line.slope},
               {"slope_behind", bent.slope_behind}},
              4,
              {}};
  const double change = bent.slope_behind - bent.line.slope;
  for (const double value : x) {
    const double behind = std::max(0.0, value - x[bent.bend]);
    draft.fitted.push_back(std::exp(bent.line.at(value) + change * behind));
  }
  return draft;
}

Draft valley(const Curve& curve) {
  MonotoneFit fit = valley_fit(log_times_of(curve), std::vector<double>(curve.size(), 1.0));
  return {{{"levels", static_cast<double>(fit.levels)}},
          fit.levels,
          exponentials(std::move(fit.values))};
}

Draft draft_of(CurveForm form, const Curve& curve) {
  switch (form) {
    case CurveForm::kPower:
      return power(curve);
    case CurveForm::kAmdahl:
      return amdahl(curve);
    case CurveForm::kUsl:
      return usl(curve);
    case CurveForm::kHockney:
      return hockney(curve);
    case CurveForm::kTwoLines:
      return two_lines(curve);
    case CurveForm::kBentLine:
      return bent_line(curve);
    case CurveForm::kValley:
      break;
  }
  return valley(curve);
}

/// AICc of residuals of which one more number, their size, was fitted.
double aicc_of(double squares, size_t points, size_t size) {
  const auto n = static_cast<double>(points);
  const auto k = static_cast<double>(size + 1);
  if (n - k - 1 <= 0) return std::numeric_limits<double>::infinity();
  return bic_of(squares, points, 0) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

bool can_fit(CurveForm form, const Curve& curve) {
  const bool is_segmented = form == CurveForm::kTwoLines || form == CurveForm::kBentLine;
  if (is_segmented && curve.size() < 2 * kLeastSegment) return false;
  if (curve.size() < 3) return false;
  const bool needs_positive =
      form == CurveForm::kAmdahl || form == CurveForm::kUsl || form == CurveForm::kHockney;
  return !needs_positive || curve.front().x > 0;
}

}  // namespace

std::string_view name_of(CurveForm form) {
  constexpr std::array<std::string_view, kForms.size()> kNames = {
      "power", "amdahl", "usl", "hockney", "two-lines", "bent-line", "valley"};
  return kNames.at(static_cast<size_t>(form));
}

std::optional<CurveFit> fit_form(CurveForm form, const Curve& curve) {
  if (!can_fit(form, curve)) return {};
  Draft draft = draft_of(form, curve);
  CurveFit fit{.form = form,
               .parameters = std::move(draft.parameters),
               .size = draft.size,
               .fitted = std::move(draft.fitted)};
  for (size_t i = 0; i < curve.size(); ++i) {
    if (!(fit.fitted[i] > 0)) return {};  // all coefficients are 0
    const double residual = std::log(curve[i].y / fit.fitted[i]);
    fit.squares += residual * residual;
    fit.mean_error += std::fabs(fit.fitted[i] / curve[i].y - 1) / static_cast<double>(curve.size());
  }
  fit.bic = bic_of(fit.squares, curve.size(), fit.size);
  fit.aicc = aicc_of(fit.squares, curve.size(), fit.size);
  return fit;
}

std::vector<CurveFit> fit_forms(const Curve& curve) {
  std::vector<CurveFit> fits;
  for (const CurveForm form : kForms) {
    if (auto fit = fit_form(form, curve)) fits.push_back(std::move(*fit));
  }
  std::ranges::stable_sort(fits, {}, &CurveFit::aicc);
  return fits;
}

std::optional<double> parameter_of(const CurveFit& fit, std::string_view name) {
  const auto found = std::ranges::find(fit.parameters, name, &CurveParameter::name);
  if (found == fit.parameters.end()) return {};
  return found->value;
}

std::optional<double> usl_optimum(const CurveFit& fit) {
  const auto sigma = parameter_of(fit, "sigma");
  const auto kappa = parameter_of(fit, "kappa");
  if (!sigma || !kappa || !(*kappa > 0)) return {};
  return std::sqrt(std::max(0.0, 1 - *sigma) / *kappa);
}

std::optional<double> half_performance_size(const CurveFit& fit) {
  const auto start = parameter_of(fit, "t0");
  const auto slope = parameter_of(fit, "1/r");
  if (!start || !slope || !(*slope > 0)) return {};
  return *start / *slope;
}

}  // namespace opbench
