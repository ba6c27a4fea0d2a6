#pragma once

#include <array>
#include <span>

namespace opbench {

/// Two-sided p that both sets come from one distribution. At least two values each.
using TwoSampleTest = double (*)(std::span<const double> before, std::span<const double> after);

double student_test(std::span<const double> before, std::span<const double> after);
double welch_test(std::span<const double> before, std::span<const double> after);
double mann_whitney_test(std::span<const double> before, std::span<const double> after);
double kolmogorov_smirnov_test(std::span<const double> before, std::span<const double> after);
double cramer_von_mises_test(std::span<const double> before, std::span<const double> after);

/// All five, in this order.
constexpr std::array<TwoSampleTest, 5> two_sample_tests() {
  return {student_test, welch_test, mann_whitney_test, kolmogorov_smirnov_test,
          cramer_von_mises_test};
}

}  // namespace opbench
