#include "engines/cuda_device/cuda_device_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <span>
#include <string>

#include "engines/cuda_device/cuda_functions.h"
#include "fake_launches.h"

// On the driver of tests (tests/fake_cuda). Its counters are those of the process, so each test
// that has a call fail runs in a process of its own.

namespace opbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Pair;

std::span<const std::byte> bytes_of_floats(const std::vector<float>& values) {
  return std::as_bytes(std::span(values));
}

class CudaDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_cuda_device(0, kFakeCuda);
    ASSERT_TRUE(opened) << to_text(opened.error());
    device_ = std::move(*opened);
  }
  std::unique_ptr<DeviceApi> device_;
};

TEST_F(CudaDevice, KeepsWhatIsWritten) {
  auto block = device_->allocate(4096);
  ASSERT_TRUE(block) << to_text(block.error());
  std::vector<float> given(100), got(100);
  std::iota(given.begin(), given.end(), 1.0F);
  ASSERT_TRUE((*block)->write(256, bytes_of_floats(given).data(), 400));
  ASSERT_TRUE((*block)->read(256, reinterpret_cast<std::byte*>(got.data()), 400));
  EXPECT_EQ(got, given);
  ASSERT_TRUE((*block)->write(0, nullptr, 0));
}

TEST_F(CudaDevice, NamesPartsByTheirAddress) {
  const int64_t boundary = device_->alignment();
  auto block = device_->allocate(8 * boundary);
  ASSERT_TRUE(block);
  const auto whole = (*block)->part(0, 8 * boundary);
  const auto part = (*block)->part(boundary, boundary);
  ASSERT_TRUE(whole);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->handle, whole->handle + static_cast<uint64_t>(boundary));
  EXPECT_EQ(part->interface, whole->interface);
  EXPECT_NE(part->interface, nullptr);
  EXPECT_FALSE((*block)->part(8 * boundary, boundary));
}

TEST_F(CudaDevice, RefusesMoreMemoryThanItHas) {
  const auto refused = device_->allocate(int64_t{1} << 60);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kSystem);
  EXPECT_THAT(refused.error().message, HasSubstr("CUDA_ERROR_OUT_OF_MEMORY (2)"));
  EXPECT_FALSE(device_->is_lost());
}

TEST_F(CudaDevice, RefusesCopiesBeyondABlock) {
  auto block = device_->allocate(64);
  ASSERT_TRUE(block);
  std::vector<float> values(100);
  EXPECT_FALSE((*block)->write(0, bytes_of_floats(values).data(), 400));
  EXPECT_FALSE((*block)->read(0, reinterpret_cast<std::byte*>(values.data()), 400));
  EXPECT_TRUE(device_->synchronize()) << "the device goes on";
}

TEST_F(CudaDevice, TimesWhatItRuns) {
  auto block = device_->allocate(1 << 20);
  ASSERT_TRUE(block);
  std::vector<float> values(1 << 18);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE((*block)->write(0, bytes_of_floats(values).data(), 1 << 20));
  ASSERT_TRUE(device_->synchronize());
  const LaunchTimes times = device_->take_times();
  EXPECT_EQ(times.launches, 3);
  constexpr double kBytesOfSecond = 1e10;  // of the driver of tests
  EXPECT_NEAR(times.seconds, 3 * (1 << 20) / kBytesOfSecond, 1e-6);
  EXPECT_EQ(device_->take_times(), LaunchTimes{}) << "times are told once";
}

TEST_F(CudaDevice, SaysWhatItIs) {
  EXPECT_THAT(device_->facts(),
              ::testing::IsSupersetOf(
                  {Pair("kind", "cuda"), Pair("description", "Turing of tests 0"),
                   Pair("version", "sm_75"), Pair("driver", "CUDA 13.1"), Pair("clock", "event")}));
}

TEST(CudaDevices, AreThoseThatThereAre) {
  for (const int index : {-1, 1}) {
    const auto none = open_cuda_device(index, kFakeCuda);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kEnvironment);
    EXPECT_THAT(to_text(none.error()), HasSubstr("valid: 0 to 0"));
  }
}

TEST(CudaDevices, AreNoneWithoutTheDriver) {
  const auto none = open_cuda_device(0, "libcudanowhere.so.1");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kEnvironment);
  EXPECT_EQ(none.error().message, "no library libcudanowhere.so.1");
  const auto another = open_cuda_device(0, "libm.so.6");
  ASSERT_FALSE(another);
  EXPECT_EQ(another.error().message, "libm.so.6 is not CUDA's driver");
  ::setenv("FAKE_CUDA_INIT", "34", 1);
  const auto stub = open_cuda_device(0, kFakeCuda);
  ::unsetenv("FAKE_CUDA_INIT");
  ASSERT_FALSE(stub);
  EXPECT_EQ(stub.error().message, "the CUDA driver does not start: CUDA_ERROR_STUB_LIBRARY (34)");
}

/// Opens a device, takes a block, writes, waits, reads, and ends the process: with 0 if a call was
/// refused and all else went its way, 1 if none was refused, 2 if a lost device did anything.
[[noreturn]] void use_device(const std::string& fault) {
  ::setenv("FAKE_CUDA_FAULT", fault.c_str(), 1);
  const auto opened = open_cuda_device(0, kFakeCuda);
  if (!opened) ::_exit(opened.error().message.find("CUDA_ERROR") == std::string::npos ? 1 : 0);
  DeviceApi& device = **opened;
  const std::vector<float> values(16);
  std::vector<float> got(16);
  bool is_refused = false;
  for (int i = 0; i < 2; ++i) {
    const bool was_lost = device.is_lost();
    const auto block = device.allocate(64);
    if (block && was_lost) ::_exit(2);
    is_refused = is_refused || !block;
    if (!block) continue;
    const bool is_written = (*block)->write(0, bytes_of_floats(values).data(), 64).has_value();
    const bool is_ended = device.synchronize().has_value();
    const bool is_read =
        (*block)->read(0, reinterpret_cast<std::byte*>(got.data()), 64).has_value();
    is_refused = is_refused || !is_written || !is_ended || !is_read;
  }
  ::_exit(is_refused ? 0 : 1);
}

TEST(CudaFaultsDeathTest, AreToldWhicheverCallFails) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int code : {2, 701, 700, 999}) {
    for (int call = 1; call <= 12; ++call) {
      const std::string fault = std::to_string(call) + ":" + std::to_string(code);
      EXPECT_EXIT(use_device(fault), ::testing::ExitedWithCode(0), "") << fault;
    }
  }
}

TEST(CudaError, NamesCodesThatLaunchesMeet) {
  EXPECT_EQ(cuda_error(701), "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)");
  EXPECT_EQ(cuda_error(12345), "CUDA's error 12345");
  EXPECT_TRUE(ends_context(700));
  EXPECT_FALSE(ends_context(2));
  EXPECT_FALSE(ends_context(0));
}

}  // namespace
}  // namespace opbench
