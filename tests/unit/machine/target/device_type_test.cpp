#include "machine/target/device_type.h"

#include <gtest/gtest.h>

#include "machine/target/parse_target.h"

namespace opbench {
namespace {

DeviceType type_for(const char* target) { return device_type(parse_target(target).value()); }

TEST(DeviceType, ComesFromTheKindAlone) {
  EXPECT_EQ(type_for("host"), DeviceType::kCpu);
  EXPECT_EQ(type_for("llvm -device=arm_cpu -mtriple=aarch64-linux-gnu"), DeviceType::kCpu);
  EXPECT_EQ(type_for("opencl"), DeviceType::kOpenCl);
  EXPECT_EQ(type_for("opencl -device=mali -model=rk3399"), DeviceType::kOpenCl);
  EXPECT_EQ(type_for("cuda -arch=sm_75"), DeviceType::kCuda);
  EXPECT_EQ(type_for("ext_dev -device=vta -model=pynq"), DeviceType::kExtDev);
  EXPECT_EQ(type_for("vulkan"), DeviceType::kOther);
}

TEST(DeviceType, HasTheNumbersOfDLPack) {
  EXPECT_EQ(static_cast<int>(DeviceType::kOpenCl), 4);
  EXPECT_EQ(static_cast<int>(DeviceType::kExtDev), 12);
}

}  // namespace
}  // namespace opbench
