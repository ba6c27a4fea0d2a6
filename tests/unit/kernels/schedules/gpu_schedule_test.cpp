#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernel_harness.h"
#include "opencl_harness.h"
#include "test_form.h"

namespace opbench {
namespace {

/// That `schedule` is the default for OpenCL and computes the workload within 1e-4 of the
/// reference, with the knobs of `config` in the place of its rule's.
void expect_on_gpu(const std::string& schedule, const std::string& workload,
                   const Config& config = {}) {
  SCOPED_TRACE(workload);
  auto spec = kernel_spec(workload, "opencl", "", false);
  ASSERT_TRUE(spec) << to_text(spec.error());
  EXPECT_EQ(spec->schedule, schedule);
  for (const auto& [knob, value] : config) spec->config.at(knob) = value;
  const auto error = opencl_error(*spec);
  ASSERT_TRUE(error) << to_text(error.error());
  EXPECT_THAT(*error, ::testing::Le(1e-4));
}

class GpuSchedules : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!opencl_missing().empty()) GTEST_SKIP() << opencl_missing();
  }
};

TEST_F(GpuSchedules, ComputeElementwiseSteps) {
  for (const char* workload : {"relu 1x3x7x7", "add 2x65x13x13 65x1x1; relu", "sigmoid 1000",
                               "mul 3x1x5 1x4x5; add % 3x4x5"}) {
    expect_on_gpu("elementwise_gpu", workload);
  }
}

}  // namespace
}  // namespace opbench
