#include "engines/opencl_device/opencl_device_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <span>

#include "engines/opencl_device/opencl_functions.h"

namespace opbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr const char* kLibrary = "libOpenCL.so.1";

std::span<const std::byte> bytes_of(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

/// The first device; skips the test where there is none.
class OpenClDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto cache = std::filesystem::path(::testing::TempDir()) / "opencl-device-test";
    ::setenv("POCL_CACHE_DIR", cache.c_str(), 1);
    auto opened = open_opencl_device(0, kLibrary);
    if (!opened) GTEST_SKIP() << opened.error().message;
    device_ = std::move(*opened);
  }
  std::unique_ptr<DeviceApi> device_;
};

TEST_F(OpenClDevice, KeepsWhatIsWritten) {
  auto block = device_->allocate(4096);
  ASSERT_TRUE(block) << to_text(block.error());
  std::vector<float> given(100), got(100);
  std::iota(given.begin(), given.end(), 1.0F);
  ASSERT_TRUE((*block)->write(256, bytes_of(given).data(), 400));
  ASSERT_TRUE((*block)->read(256, reinterpret_cast<std::byte*>(got.data()), 400));
  EXPECT_EQ(got, given);
  ASSERT_TRUE((*block)->read(260, reinterpret_cast<std::byte*>(got.data()), 4));
  EXPECT_EQ(got.front(), 2.0F);
  ASSERT_TRUE((*block)->write(0, nullptr, 0));
}

TEST_F(OpenClDevice, IsAPartWithAnyNumberOfItsUnits) {
  const auto units_of = [](const DeviceApi& device) {
    for (const auto& [name, value] : device.facts()) {
      if (name == "units") return std::stoi(value);
    }
    return 0;
  };
  const int all = units_of(*device_);
  ASSERT_GE(all, 1);
  device_.reset();
  for (const int units : {1, all}) {
    const auto part = open_opencl_device(0, kLibrary, units);
    ASSERT_TRUE(part) << to_text(part.error());
    EXPECT_EQ(units_of(**part), units);
  }
  const auto none = open_opencl_device(0, kLibrary, all + 1);
  ASSERT_FALSE(none);
  EXPECT_THAT(to_text(none.error()), HasSubstr(std::to_string(all + 1) + " units"));
}

TEST_F(OpenClDevice, NamesPartsOnItsBoundaries) {
  const int64_t boundary = device_->alignment();
  EXPECT_GE(boundary, 1);
  auto block = device_->allocate(8 * boundary);
  ASSERT_TRUE(block);
  const auto whole = (*block)->part(0, 8 * boundary);
  const auto part = (*block)->part(boundary, boundary);
  ASSERT_TRUE(whole);
  ASSERT_TRUE(part) << to_text(part.error());
  EXPECT_NE(part->handle, 0U);
  EXPECT_NE(part->handle, whole->handle);
  EXPECT_EQ(part->interface, whole->interface);
  EXPECT_EQ((*block)->part(boundary, boundary)->handle, part->handle) << "a part is made once";
  const auto outside = (*block)->part(8 * boundary, boundary);
  ASSERT_FALSE(outside);
  EXPECT_THAT(outside.error().message, HasSubstr("CL_INVALID_VALUE"));
}

TEST_F(OpenClDevice, RefusesMoreMemoryThanItHas) {
  const auto refused = device_->allocate(int64_t{1} << 60);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kSystem);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("no block of 1.0 EiB, "), HasSubstr(" at most: CL_")));
}

TEST_F(OpenClDevice, RefusesCopiesBeyondABlock) {
  auto block = device_->allocate(64);
  ASSERT_TRUE(block);
  std::vector<float> values(100);
  EXPECT_FALSE((*block)->write(0, bytes_of(values).data(), 400));
  EXPECT_FALSE((*block)->read(0, reinterpret_cast<std::byte*>(values.data()), 400));
  EXPECT_TRUE(device_->synchronize()) << "the device goes on";
}

TEST_F(OpenClDevice, TimesWhatItRuns) {
  auto block = device_->allocate(1 << 20);
  ASSERT_TRUE(block);
  std::vector<float> values(1 << 18);
  ASSERT_TRUE((*block)->write(0, bytes_of(values).data(), 1 << 20));
  ASSERT_TRUE(device_->synchronize());
  const LaunchTimes times = device_->take_times();
  EXPECT_EQ(times.launches, 1);
  EXPECT_GT(times.seconds, 0);
  EXPECT_LT(times.seconds, 10);
  EXPECT_EQ(device_->take_times(), LaunchTimes{}) << "times are told once";
}

TEST_F(OpenClDevice, SaysWhatItIs) {
  EXPECT_THAT(device_->facts(),
              ::testing::IsSupersetOf({Pair("kind", "opencl"), Pair("clock", "event")}));
}

TEST_F(OpenClDevice, IsOneOfThoseThatThereAre) {
  for (const int index : {-1, 1000}) {
    const auto none = open_opencl_device(index, kLibrary);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kEnvironment);
    EXPECT_THAT(to_text(none.error()), HasSubstr("valid: 0 to"));
  }
}

TEST(OpenClDevices, AreNoneWithoutTheLibrary) {
  const auto none = open_opencl_device(0, "libOpenCLnowhere.so.1");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kEnvironment);
  EXPECT_EQ(none.error().message, "no library libOpenCLnowhere.so.1");
  const auto another = open_opencl_device(0, "libm.so.6");
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().message, "libm.so.6 is not OpenCL's library");
}

/// The loader looks for drivers once a process.
TEST(OpenClDevicesDeathTest, AreNoneWithoutADriver) {
  if (!load_opencl(kLibrary)) GTEST_SKIP() << "no library";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto look = [] {
    ::setenv("OCL_ICD_VENDORS", "/nowhere", 1);
    const auto none = open_opencl_device(0, kLibrary);
    const bool is_told = !none && none.error().message == "no OpenCL driver (ICD) is installed";
    ::_exit(is_told ? 7 : 1);
  };
  EXPECT_EXIT(look(), ::testing::ExitedWithCode(7), "");
}

TEST(OpenClError, NamesCodesThatLaunchesMeet) {
  EXPECT_EQ(opencl_error(CL_INVALID_WORK_GROUP_SIZE), "CL_INVALID_WORK_GROUP_SIZE (-54)");
  EXPECT_EQ(opencl_error(-9999), "OpenCL's error -9999");
}

}  // namespace
}  // namespace opbench
