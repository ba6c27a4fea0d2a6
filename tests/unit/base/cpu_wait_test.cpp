#include "base/system/cpu_wait.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/file.h"

namespace opbench {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST(CpuWait, SumsWhatThreadsWaited) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const auto tasks = folder->path() / "proc/self/task";
  write(tasks / "10/schedstat", "5000000000 2000000 17\n");
  write(tasks / "11/schedstat", "1000 500000 3\n");
  std::filesystem::create_directories(tasks / "12");  // ended in between
  const auto waited = cpu_wait_s(folder->path());
  ASSERT_TRUE(waited);
  EXPECT_DOUBLE_EQ(*waited, 2.5e-3);
}

TEST(CpuWait, IsUnknownWhereTheKernelDoesNotCount) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  EXPECT_FALSE(cpu_wait_s(folder->path()));
  write(folder->path() / "proc/self/task/10/status", "Name: x\n");
  EXPECT_FALSE(cpu_wait_s(folder->path()));
}

TEST(CpuWait, DoesNotFallWhileThreadsStay) {
  const auto before = cpu_wait_s();
  const auto after = cpu_wait_s();
  ASSERT_EQ(before.has_value(), after.has_value());
  EXPECT_GE(after.value_or(0), before.value_or(0));
}

}  // namespace
}  // namespace opbench
