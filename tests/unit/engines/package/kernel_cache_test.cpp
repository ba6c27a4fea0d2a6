#include "engines/package/kernel_cache.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

TEST(KernelCache, KeepsHowLongAKernelTookToCompile) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path object = folder / "kernel_cache_test.o";
  std::filesystem::remove(folder / "kernel_cache_test.ms");
  ASSERT_TRUE(write_file(object, "12345"));
  EXPECT_EQ(facts_of_kernel(object), (KernelFacts{std::nullopt, 5}));
  keep_compile_time(object, 62.5);
  EXPECT_EQ(facts_of_kernel(object), (KernelFacts{62.5, 5}));
  ASSERT_TRUE(write_file(folder / "kernel_cache_test.ms", "62"));  // cut
  EXPECT_EQ(facts_of_kernel(object), (KernelFacts{std::nullopt, 5}));
  EXPECT_EQ(facts_of_kernel(folder / "none.o"), KernelFacts{});
}

}  // namespace
}  // namespace opbench
