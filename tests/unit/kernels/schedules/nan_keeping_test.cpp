#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernel_harness.h"
#include "kernels_not_run.h"

namespace opbench {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kNanKeepingInfinity = std::numeric_limits<float>::infinity();

/// More than two vectors and a rest of any width, all kinds of numbers in every lane.
std::vector<float> any_numbers() {
  const std::vector<float> kinds = {
      kNan, -kNan, kNanKeepingInfinity, -kNanKeepingInfinity, -0.0F, 0.5F, -0.5F, 7, -7};
  std::vector<float> x;
  for (size_t i = 0; i < 4 * 16 + 5; ++i) x.push_back(kinds[i % kinds.size()]);
  return x;
}

class NanKeeping : public ::testing::TestWithParam<const char*> {
 protected:
  /// The kernel's results on `x` as that operand, and random other ones. None where it is not run.
  std::vector<float> results(const std::string& workload, const std::vector<float>& x,
                             size_t operand = 0) {
    SCOPED_TRACE(workload);
    const auto spec = kernel_spec(workload, GetParam());
    EXPECT_TRUE(spec) << to_text(spec.error());
    auto kernel = LoadedKernel::load(*spec);
    EXPECT_TRUE(kernel) << to_text(kernel.error());
    if (!runs_kernels_of(spec->target)) return {};
    std::vector<Tensor> inputs = random_inputs(spec->workload, 1);
    std::ranges::copy(x, inputs[operand].as<float>().begin());
    EXPECT_TRUE(kernel->bind(inputs));
    EXPECT_EQ(kernel->call(), 0);
    const auto result = kernel->output(0, false);
    EXPECT_TRUE(result) << to_text(result.error());
    const Tensor y = result.value();
    return {y.as<float>().begin(), y.as<float>().end()};
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, NanKeeping,
                         ::testing::Values("host", "llvm -mcpu=core-avx2", "llvm"));

TEST_P(NanKeeping, NanComesOutOfStepsThatBoundTheirResult) {
  const std::vector<float> x = any_numbers();
  const std::string n = std::to_string(x.size());
  for (const std::string step :
       {"relu {}", "clip {} =-1.0 =1.0", "hard_sigmoid {}", "hard_swish {}", "tanh {}", "erf {}",
        "sign {}", "max {} {}", "min {} {}", "gelu {}", "elu {}", "softplus {}", "leaky_relu {}"}) {
    std::string workload = step;
    for (size_t at; (at = workload.find("{}")) != std::string::npos;) workload.replace(at, 2, n);
    const std::vector<float> y = results(workload, x);
    for (size_t i = 0; i < y.size(); ++i) {
      if (std::isinf(x[i])) continue;
      EXPECT_EQ(std::isnan(y[i]), std::isnan(x[i])) << workload << " at " << i << ": " << y[i];
    }
  }
}

TEST_P(NanKeeping, NanOfTheSecondOperandComesOut) {
  const std::vector<float> x = any_numbers();
  const std::string n = std::to_string(x.size());
  for (const std::string word : {"max", "min"}) {
    const std::vector<float> y = results(word + " " + n + " " + n, x, 1);
    for (size_t i = 0; i < y.size(); ++i) {
      EXPECT_EQ(std::isnan(y[i]), std::isnan(x[i])) << word << " at " << i << ": " << y[i];
    }
  }
}

TEST_P(NanKeeping, NumbersAreBoundedAsEver) {
  const std::vector<float> x = any_numbers();
  const std::string n = std::to_string(x.size());
  const std::vector<float> relu = results("relu " + n, x);
  const std::vector<float> clip = results("clip " + n + " =-1.0 =1.0", x);
  for (size_t i = 0; i < relu.size(); ++i) {
    if (std::isnan(x[i])) continue;
    EXPECT_EQ(relu[i], std::max(x[i], 0.0F)) << i;
    EXPECT_EQ(clip[i], std::clamp(x[i], -1.0F, 1.0F)) << i;
  }
}

}  // namespace
}  // namespace opbench
