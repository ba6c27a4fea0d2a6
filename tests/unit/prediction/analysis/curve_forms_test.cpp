#include "prediction/analysis/curve_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_curves.h"

namespace opbench {
namespace {

double parameter(const std::optional<CurveFit>& fit, const char* name) {
  return parameter_of(fit.value(), name).value();
}

TEST(CurveForms, FindTheParametersThatMadeACurve) {
  const Curve amdahl = made_curve(16, 0, 1, [](double n) { return 2 + 8 / n; });
  EXPECT_NEAR(parameter(fit_form(CurveForm::kAmdahl, amdahl), "a"), 2, 1e-6);
  EXPECT_NEAR(parameter(fit_form(CurveForm::kAmdahl, amdahl), "b"), 8, 1e-6);
  const Curve usl = made_curve(
      32, 0, 1, [](double n) { return 5 * (1 + 0.03 * (n - 1) + 0.002 * n * (n - 1)) / n; });
  const auto fit = fit_form(CurveForm::kUsl, usl);
  EXPECT_NEAR(parameter(fit, "T1"), 5, 1e-6);
  EXPECT_NEAR(parameter(fit, "sigma"), 0.03, 1e-6);
  EXPECT_NEAR(parameter(fit, "kappa"), 0.002, 1e-6);
  EXPECT_NEAR(usl_optimum(*fit).value(), std::sqrt(0.97 / 0.002), 1e-3);
  const Curve hockney = made_curve(16, 0, 1, [](double n) { return 12 + n / 4; });
  EXPECT_NEAR(half_performance_size(fit_form(CurveForm::kHockney, hockney).value()).value(), 48,
              1e-6);
  const Curve power = made_curve(16, 0, 1, [](double n) { return 3 * std::pow(n, -0.7); });
  EXPECT_NEAR(parameter(fit_form(CurveForm::kPower, power), "b"), -0.7, 1e-9);
}

TEST(CurveForms, KeepUslTermsAtZeroOrAbove) {
  const Curve superlinear = made_curve(16, 0, 1, [](double n) { return std::pow(n, -1.3); });
  const auto fit = fit_form(CurveForm::kUsl, superlinear);
  EXPECT_EQ(parameter(fit, "sigma"), 0);
  EXPECT_EQ(parameter(fit, "kappa"), 0);
  EXPECT_FALSE(usl_optimum(*fit));
}

TEST(CurveForms, AreOrderedByAicc) {
  const Curve curve = made_curve(24, 0.02, 7, [](double n) { return 1 + 20 / n; });
  const std::vector<CurveFit> fits = fit_forms(curve);
  ASSERT_GE(fits.size(), 6U);
  EXPECT_EQ(fits.front().form, CurveForm::kAmdahl);
  for (size_t i = 1; i < fits.size(); ++i) EXPECT_LE(fits[i - 1].aicc, fits[i].aicc);
}

TEST(CurveForms, LeaveOutWhatAnAxisWithZeroCannotHave) {
  for (const CurveFit& fit : fit_forms({{0, 1}, {1, 2}, {2, 4}, {3, 8}})) {
    EXPECT_NE(fit.form, CurveForm::kAmdahl);
    EXPECT_NE(fit.form, CurveForm::kTwoLines);
  }
  EXPECT_TRUE(fit_forms({{1, 1}, {2, 2}}).empty());
}

}  // namespace
}  // namespace opbench
