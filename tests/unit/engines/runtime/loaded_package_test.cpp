#include "engines/runtime/loaded_package.h"

#include <gmock/gmock.h>

#include "package_fixture.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

class LoadedPackages : public PackageFixture {};

TEST_F(LoadedPackages, GiveBackTheirInputs) {
  const auto package = loaded(small_program(), {.shift_bytes = 64});
  const Tensor given = floats({1, 6}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(package->set_input(0, given));
  EXPECT_EQ(package->input(0), given);
}

TEST_F(LoadedPackages, RefuseAnInputOfAnotherType) {
  const auto set = loaded()->set_input(0, floats({6}, {1, 2, 3, 4, 5, 6}));
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message, "input \"x\" is float32 1x6, got float32 6");
}

TEST_F(LoadedPackages, KeepAllThatIsNoWeightInOneArena) {
  const auto package = loaded();
  EXPECT_GE(package->arena().size(), static_cast<size_t>(small_program().arena_bytes));
  const std::byte* const output = package->memory_of(package->program().slots[3]);
  EXPECT_GE(output, package->arena().data());
  EXPECT_LT(output, package->arena().data() + package->arena().size());
}

TEST_F(LoadedPackages, AreNotMadeOfAFolderThatIsNoPackage) {
  EXPECT_EQ(load().error().code, ErrorCode::kInvalidInput);
  ASSERT_TRUE(write_file(folder_.path() / "program.json", "{\"schema\": "));
  EXPECT_EQ(load().error().code, ErrorCode::kInvalidInput);
  write(small_program());
  ASSERT_TRUE(write_file(folder_.path() / "weights.bin", "short"));
  EXPECT_THAT(load().error().message, HasSubstr("weights.bin"));
  std::filesystem::remove(folder_.path() / "weights.bin");
  EXPECT_FALSE(load());
}

TEST_F(LoadedPackages, AreNotMadeOfKernelsThatDoNotLoad) {
  write(small_program());
  ASSERT_TRUE(write_file(folder_.path() / "kernels.so", "no library"));
  EXPECT_THAT(load().error().message, HasSubstr("cannot load kernels"));
}

}  // namespace
}  // namespace opbench
