#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "kernel_harness.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

struct Attempt {
  Result<void> result;
  bool has_written = false;
};

Attempt compile(const KernelSpec& spec) {
  const auto folder = TemporaryFolder::make();
  if (!folder) return {folder.error(), false};
  Result<void> result = compile_kernel(spec, "kernel", folder->path() / "kernel.o");
  return {std::move(result), !std::filesystem::is_empty(folder->path())};
}

TEST(CompileKernel, RefusesAnUnknownScheduleWithTheKnownNames) {
  auto spec = kernel_spec("relu 4x64", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  spec->schedule = "elementwis";
  const Attempt attempt = compile(*spec);
  ASSERT_FALSE(attempt.result);
  EXPECT_EQ(attempt.result.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(attempt.result.error()), HasSubstr("elementwise?"));
}

TEST(CompileKernel, AsksTheScheduleAboutTheConfigAndWritesNothing) {
  for (const char* workload : {"dense 2x33 w:33x10", "matmul 2x33 33x10"}) {
    auto spec = kernel_spec(workload, "host");
    ASSERT_TRUE(spec) << to_text(spec.error());
    spec->config["rows"] = 3;
    const Attempt attempt = compile(*spec);
    ASSERT_FALSE(attempt.result) << workload;
    EXPECT_EQ(attempt.result.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(attempt.result.error().message, HasSubstr("\"rows\" is 3"));
    EXPECT_FALSE(attempt.has_written);
  }
}

TEST(CompileKernel, LeavesNothingBesideTheObject) {
  const auto spec = kernel_spec("relu 4x64", "host");
  ASSERT_TRUE(spec) << to_text(spec.error());
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder) << to_text(folder.error());
  const std::filesystem::path object = folder->path() / "kernel.o";
  ASSERT_TRUE(compile_kernel(*spec, "kernel", object));
  for (const auto& entry : std::filesystem::directory_iterator(folder->path()))
    EXPECT_EQ(entry.path(), object);
  EXPECT_TRUE(std::filesystem::exists(object));
}

TEST(ScheduleDefs, AllBuildAndHaveADefaultConfig) {
  for (const ScheduleDef& def : schedule_table().all()) {
    EXPECT_NE(def.build, nullptr) << def.name;
    EXPECT_NE(def.default_config, nullptr) << def.name;
    EXPECT_FALSE(def.summary.empty()) << def.name;
  }
}

}  // namespace
}  // namespace opbench
