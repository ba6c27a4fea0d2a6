#include "machine/devices/cuda_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace opbench {
namespace {

using ::testing::HasSubstr;

const std::string kFakeDriver = OPBENCH_BINARY_DIR "/libfake_cuda.so";

/// A variable of the environment as long as the object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

std::string reason_of(const Result<std::vector<FoundDevice>>& found) {
  if (found) return "found";
  EXPECT_EQ(found.error().code, ErrorCode::kEnvironment);
  return found.error().message;
}

TEST(CudaDevices, AreNoneWithoutTheDriver) {
  EXPECT_EQ(reason_of(find_cuda_devices("libcudanowhere.so.1")),
            "the driver's library libcudanowhere.so.1 is not installed");
  EXPECT_EQ(reason_of(find_cuda_devices("libc.so.6")), "libc.so.6 is not CUDA's driver");
}

TEST(CudaDevices, TellTheirLimits) {
  const Variable two("FAKE_CUDA_DEVICES", "2");
  const auto found = find_cuda_devices(kFakeDriver).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].name, "cuda:1");
  EXPECT_EQ(found[1].arch, "sm_75");
  EXPECT_EQ(found[1].description, "Turing of tests 1");
  EXPECT_EQ(found[1].facts[0], (Fact{"capability", "7.5 (sm_75)"}));
  EXPECT_EQ(found[1].facts[1], (Fact{"driver", "CUDA 13.1"}));
  EXPECT_EQ(found[1].facts[4], (Fact{"memory", "8389 MB"}));
}

TEST(CudaDevices, AreNoneWhereTheDriverSaysSo) {
  {
    const Variable none("FAKE_CUDA_DEVICES", "0");
    EXPECT_EQ(reason_of(find_cuda_devices(kFakeDriver)), "the CUDA driver finds no device");
  }
  for (const auto& [code, reason] :
       {std::pair("34", "the toolkit's stub"), std::pair("100", "finds no device"),
        std::pair("999", "cuInit returned 999")}) {
    const Variable init("FAKE_CUDA_INIT", code);
    EXPECT_THAT(reason_of(find_cuda_devices(kFakeDriver)), HasSubstr(reason));
  }
}

TEST(CudaDevices, AreNoneWhereTheDriverCrashes) {
  const Variable crash("FAKE_CUDA_CRASH", "1");
  EXPECT_THAT(reason_of(find_cuda_devices(kFakeDriver)), HasSubstr("its driver crashed: signal 6"));
}

TEST(CudaDevices, LeaveOutWhatTheDriverRefuses) {
  const Variable refused("FAKE_CUDA_REFUSES", "13");
  const auto found = find_cuda_devices(kFakeDriver).value();
  EXPECT_EQ(found[0].facts[3], (Fact{"clock", "unknown"}));
}

}  // namespace
}  // namespace opbench
