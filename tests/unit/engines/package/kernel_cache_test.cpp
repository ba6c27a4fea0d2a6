#include "engines/package/kernel_cache.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "engines/package/object_code.h"

namespace opbench {
namespace {

TEST(KernelCache, KeepsHowLongAKernelTookToCompile) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path object = folder / "kernel_cache_test.o";
  std::filesystem::remove(folder / "kernel_cache_test.ms");
  ASSERT_TRUE(write_file(object, "12345"));
  const std::string hash = hash_of_object("12345", "k_1");
  EXPECT_EQ(facts_of_kernel(object, "k_1"), (KernelFacts{std::nullopt, 5, hash}));
  keep_compile_time(object, 62.5);
  EXPECT_EQ(facts_of_kernel(object, "k_1"), (KernelFacts{62.5, 5, hash}));
  ASSERT_TRUE(write_file(folder / "kernel_cache_test.ms", "62"));  // cut
  EXPECT_EQ(facts_of_kernel(object, "k_1"), (KernelFacts{std::nullopt, 5, hash}));
  EXPECT_EQ(facts_of_kernel(folder / "none.o", "k_1"), KernelFacts{});
}

}  // namespace
}  // namespace opbench
