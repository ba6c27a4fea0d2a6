#include "machine/devices/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine/devices/opencl_search.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A folder for drivers (ICDs) in place of the system's; the tests of a program share the process.
class DriverFolder {
 public:
  explicit DriverFolder(const std::string& name)
      : folder_(std::filesystem::path(::testing::TempDir()) / name) {
    std::filesystem::create_directories(folder_);
    ::setenv("OCL_ICD_VENDORS", folder_.c_str(), 1);
  }
  ~DriverFolder() {
    ::unsetenv("OCL_ICD_VENDORS");
    std::filesystem::remove_all(folder_);
  }
  DriverFolder(const DriverFolder&) = delete;
  DriverFolder& operator=(const DriverFolder&) = delete;

  void add(const std::string& library) const {
    std::ofstream(folder_ / "driver.icd") << library << "\n";
  }

 private:
  std::filesystem::path folder_;
};

bool has_opencl_library() {
  const auto found = find_opencl_devices();
  return found || found.error().message.find("is not installed") == std::string::npos;
}

TEST(Devices, HaveAKindForEachFile) {
  EXPECT_THAT(device_table().names(), ElementsAre("cpu", "cuda", "opencl"));
}

TEST(Devices, AlwaysIncludeTheCpu) {
  const auto found = (*device_table().find("cpu"))->find();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().name, "cpu");
  EXPECT_NE(found->front().description, "");
}

TEST(OpenClDevices, AreNoneWithoutTheLibrary) {
  const auto found = find_opencl_devices("libOpenCLnowhere.so.1");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(found.error().message,
              HasSubstr("the library libOpenCLnowhere.so.1 is not installed"));
}

TEST(OpenClDevices, AreNoneInAnotherLibrary) {
  const auto found = find_opencl_devices("libc.so.6");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "libc.so.6 is not OpenCL's library");
}

TEST(OpenClDevices, AreNoneWithoutADriver) {
  if (!has_opencl_library()) GTEST_SKIP() << "no OpenCL library";
  const DriverFolder folder("no_drivers");
  const auto found = find_opencl_devices();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kEnvironment);
  EXPECT_EQ(found.error().message,
            "no OpenCL driver is installed (/etc/OpenCL/vendors lists none)");
}

TEST(OpenClDevices, AreNoneWhereADriverIsNoLibrary) {
  if (!has_opencl_library()) GTEST_SKIP() << "no OpenCL library";
  const DriverFolder folder("broken_driver");
  folder.add("libnowhere.so");
  EXPECT_FALSE(find_opencl_devices());
}

TEST(OpenClDevices, TellTheirLimits) {
  const auto found = find_opencl_devices();
  if (!found) GTEST_SKIP() << found.error().message;
  const FoundDevice& device = found->front();
  EXPECT_EQ(device.name, "opencl:0");
  EXPECT_NE(device.description, "");
  std::vector<std::string> labels;
  for (const Fact& fact : device.facts) {
    labels.push_back(fact.label);
    EXPECT_NE(fact.text, "") << fact.label;
  }
  EXPECT_THAT(labels,
              ElementsAre("platform", "version", "driver", "units", "memory", "largest buffer",
                          "largest group", "local memory", "float16", "float64"));
}

TEST(DeviceOfTarget, IsHereForTheCpu) {
  EXPECT_TRUE(check_device_of(parse_target("llvm -mcpu=haswell").value()));
}

TEST(DeviceOfTarget, IsRefusedWithTheReasonAndWhatIsThere) {
  if (!has_opencl_library()) GTEST_SKIP() << "no OpenCL library";
  const DriverFolder folder("none_for_target");
  const auto checked = check_device_of(parse_target("opencl -device=mali").value());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error(),
            (Error{ErrorCode::kEnvironment,
                   "no device for target \"opencl -device=mali\" is here",
                   {{"reason", "no OpenCL driver is installed (/etc/OpenCL/vendors lists none)"},
                    {"found", "cpu"}}}));
}

TEST(DeviceOfTarget, IsRefusedForAKindWithoutKernels) {
  const auto checked = check_device_of(parse_target("vulkan").value());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(checked.error().message, "no kernels are made for target \"vulkan\"");
  EXPECT_EQ(checked.error().facts.front().text,
            "targets of these kinds of device: cpu, cuda, opencl");
}

TEST(DeviceOfTarget, IsTheFirstOrTheOneThatIsNamed) {
  const Target target = parse_target("opencl").value();
  const auto first = device_of_target(target, "");
  if (!first) GTEST_SKIP() << first.error().message;
  EXPECT_EQ(first->name, "opencl:0");
  EXPECT_EQ(first->index, 0);
  for (const std::string& alias : first->aliases) {
    const auto by_driver = device_of_target(target, alias);
    ASSERT_TRUE(by_driver) << alias;
    EXPECT_EQ(by_driver->name, "opencl:0");
  }
  const auto none = device_of_target(target, "opencl:00");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(none.error()), HasSubstr("did you mean: opencl:0"));
}

TEST(DeviceOfTarget, IsTheCpuForItsTargets) {
  const auto cpu = device_of_target(parse_target("llvm").value(), "");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->name, "cpu");
}

}  // namespace
}  // namespace opbench
