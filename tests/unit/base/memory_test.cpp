#include "base/system/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

constexpr double kMiB = 1 << 20;

/// A folder with the files of /proc and /sys that count.
class Memory : public ::testing::Test {
 protected:
  Memory() : folder_(std::move(*TemporaryFolder::make())) {
    write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 1048576 kB\n");
  }
  void write(const std::string& name, const std::string& text) const {
    const auto path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(write_file(path, text));
  }
  double available() const { return available_memory(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(Memory, IsWhatTheKernelHasAvailable) { EXPECT_EQ(available(), 1024 * kMiB); }

TEST_F(Memory, PeaksWhereTheKernelSaw) {
  EXPECT_FALSE(peak_resident_bytes(folder_.path()));
  write("proc/self/status", "Name: x\nVmPeak: 999 kB\nVmHWM:      2048 kB\nVmRSS: 1024 kB\n");
  EXPECT_EQ(peak_resident_bytes(folder_.path()), 2 * kMiB);
  EXPECT_GT(peak_resident_bytes().value_or(0), kMiB) << "of this process";
}

TEST_F(Memory, StaysWithinTheGroupAndThoseAroundIt) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(available(), 1024 * kMiB);
  write("sys/fs/cgroup/outer/memory.max", "536870912\n");
  write("sys/fs/cgroup/outer/memory.current", "134217728\n");
  EXPECT_EQ(available(), 384 * kMiB);
  write("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 33554432\n");
  EXPECT_EQ(available(), 416 * kMiB);
}

TEST_F(Memory, KnowsTheFirstVersionOfGroups) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/a\n5:memory:/a\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "104857600\n");
  write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "4194304\n");
  EXPECT_EQ(available(), 96 * kMiB);
}

TEST(CheckRoom, NamesWhatDoesNotFit) {
  EXPECT_TRUE(check_room(1, "a byte"));
  const auto refused = check_room(0x1p60, "all");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kEnvironment);
  EXPECT_EQ(refused.error().message, "not enough memory for all");
  EXPECT_THAT(to_text(refused.error()), HasSubstr("needed: 1.0 EiB"));
}

TEST(ReadFile, RefusesDevicesWithoutEnd) {
  const auto zeros = read_file("/dev/zero");
  ASSERT_FALSE(zeros);
  EXPECT_EQ(zeros.error().message, "cannot read \"/dev/zero\": a device is no file");
  EXPECT_EQ(read_file("/dev/null").value(), "");
}

}  // namespace
}  // namespace opbench
