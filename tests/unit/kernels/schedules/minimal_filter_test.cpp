#include "kernels/schedules/convolution/minimal_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"

namespace opbench {
namespace {

using Vector = std::vector<double>;

Vector product(const std::vector<Vector>& matrix, const Vector& vector) {
  Vector result;
  for (const Vector& row : matrix) {
    double sum = 0;
    for (size_t i = 0; i < row.size(); ++i) sum += row[i] * vector[i];
    result.push_back(sum);
  }
  return result;
}

Vector random_vector(Random& random, int size) {
  Vector values;
  for (int i = 0; i < size; ++i) values.push_back(2 * random.uniform() - 1);
  return values;
}

class MinimalFilterOf : public ::testing::TestWithParam<std::pair<int, int>> {};
INSTANTIATE_TEST_SUITE_P(Sizes, MinimalFilterOf,
                         ::testing::Values(std::pair{2, 3}, std::pair{4, 3}, std::pair{3, 5},
                                           std::pair{2, 7}, std::pair{3, 7}, std::pair{4, 7},
                                           std::pair{5, 7}, std::pair{6, 7}, std::pair{8, 5},
                                           std::pair{5, 3}, std::pair{6, 3}, std::pair{8, 3}));

TEST_P(MinimalFilterOf, ComputesTheFilter) {
  const auto [m, r] = GetParam();
  const MinimalFilter f = minimal_filter(m, r);
  EXPECT_EQ(f.n, m + r - 1);
  Random random(1, "filter");
  const Vector taps = random_vector(random, r), data = random_vector(random, f.n);
  const Vector g = product(f.filter, taps);
  Vector d = product(f.input, data);
  for (size_t i = 0; i < d.size(); ++i) d[i] *= g[i];
  const Vector y = product(f.output, d);
  for (size_t k = 0; k < y.size(); ++k) {
    double direct = 0;
    for (size_t tap = 0; tap < taps.size(); ++tap) direct += taps[tap] * data[k + tap];
    EXPECT_NEAR(y[k], direct, 1e-11) << "output " << k;
  }
}

TEST_P(MinimalFilterOf, HasInputFactorsThatFloatsHoldExactly) {
  const auto [m, r] = GetParam();
  const MinimalFilter f = minimal_filter(m, r);
  for (const auto* matrix : {&f.input, &f.output}) {
    for (const Vector& row : *matrix) {
      for (const double value : row)
        EXPECT_EQ(static_cast<double>(static_cast<float>(value)), value);
    }
  }
}

TEST(StridedFilter, ComputesEverySecondOutput) {
  for (const auto& [m, r] : {std::pair{2, 3}, std::pair{3, 3}, std::pair{4, 3}, std::pair{2, 5},
                             std::pair{3, 5}, std::pair{4, 5}, std::pair{2, 7}}) {
    SCOPED_TRACE(std::to_string(m) + " outputs, " + std::to_string(r) + " taps");
    const MinimalFilter f = strided_filter(m, r);
    EXPECT_EQ(f.n, m + (r + 1) / 2 - 1);
    EXPECT_EQ(f.rows(), 2 * f.n - 1);
    EXPECT_EQ(f.inputs(), 2 * (m - 1) + r);
    Random random(1, "filter");
    const Vector taps = random_vector(random, r), data = random_vector(random, f.inputs());
    const Vector g = product(f.filter, taps), d = product(f.input, data);
    Vector sums(static_cast<size_t>(f.n), 0);
    for (size_t i = 0; i < d.size(); ++i) sums[i % sums.size()] += g[i] * d[i];
    const Vector y = product(f.output, sums);
    ASSERT_EQ(y.size(), static_cast<size_t>(m));
    for (size_t k = 0; k < y.size(); ++k) {
      double direct = 0;
      for (size_t tap = 0; tap < taps.size(); ++tap) direct += taps[tap] * data[2 * k + tap];
      EXPECT_NEAR(y[k], direct, 1e-11) << "output " << k;
    }
  }
}

}  // namespace
}  // namespace opbench
