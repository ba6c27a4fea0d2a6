#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernel_harness.h"
#include "kernels_not_run.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

/// None where this machine cannot run the kernel.
std::vector<float> results(const std::string& workload, const std::vector<float>& x,
                           const char* target) {
  const auto spec = kernel_spec(workload, target);
  EXPECT_TRUE(spec) << to_text(spec.error());
  auto kernel = LoadedKernel::load(*spec);
  EXPECT_TRUE(kernel) << to_text(kernel.error());
  if (!runs_kernels_of(spec->target)) return {};
  std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
  std::ranges::copy(x, inputs[0].as<float>().begin());
  EXPECT_TRUE(kernel->bind(inputs));
  EXPECT_EQ(kernel->call(), 0);
  const auto result = kernel->output();
  EXPECT_TRUE(result) << to_text(result.error());
  const Tensor y = result.value();
  return {y.as<float>().begin(), y.as<float>().end()};
}

class Exponential : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, Exponential,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(Exponential, HasAllDigitsWhereverTheResultIsNormal) {
  std::vector<float> x;
  for (int i = 0; i < 100'000; ++i) x.push_back(-87.33F + 176.05F * static_cast<float>(i) / 1e5F);
  const std::vector<float> y = results("exp " + std::to_string(x.size()), x, GetParam());
  double worst = 0;
  for (size_t i = 0; i < y.size(); ++i)
    worst = std::max(worst, std::abs(double{y[i]} / std::exp(double{x[i]}) - 1));
  // Without fused multiply-adds the rounding of n ln 2 counts.
  const bool has_fma = vector_isa(parse_target(GetParam()).value()) >= VectorIsa::kAvx2;
  EXPECT_LT(worst, has_fma ? 4e-7 : 6e-6);
}

TEST_P(Exponential, EndsInZeroAndInfinity) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kMost = 3e38F;  // in the place of larger ones: the kernel's output is checked
  const std::vector<float> y = results(
      "exp 16; min =3e38",
      {-kInfinity, -1e30F, -200, -104, 0, 88.73F, 89, 1000, 1e30F, kInfinity, -0.0F, 1, 2, 3, 4, 5},
      GetParam());
  if (y.empty()) return;
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], 0) << i;
  EXPECT_EQ(y[4], 1);
  for (size_t i = 5; i < 10; ++i) EXPECT_EQ(y[i], kMost) << i;
  EXPECT_EQ(y[10], 1);
}

}  // namespace
}  // namespace opbench
