#include "engines/runtime/loaded_package.h"

#include <gmock/gmock.h>

#include <fstream>

#include "engines/runtime/executor.h"
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

/// A package of twice the rows that reads another weight, which lies behind those of `w`.
Program wider_program() {
  Program program = small_program();
  for (Slot& slot : program.slots) {
    if (slot.storage == Storage::kWeights) continue;
    slot.type.shape = slot.physical = {2, 6};
    slot.bytes *= 2;
  }
  program.steps[0].workload = "add 2x6 w:6";
  program.steps[1].workload = "relu 2x6";
  program.slots[1].offset = 128;
  program.weight_bytes = 192;
  return program;
}

TEST_F(LoadedPackages, TakeOtherExtentsAndReadOnlyTheWeightsBeyond) {
  const auto package = loaded();
  const std::byte* const w = package->memory_of(package->program().slots[1]);
  std::string weights = read_file(folder_.path() / "weights.bin").value();
  weights.resize(192, '\0');
  const float hundred = 100;
  std::memcpy(weights.data() + 128, &hundred, 4);
  std::ofstream(folder_.path() / "weights.bin", std::ios::in | std::ios::out | std::ios::binary)
      << weights;
  const auto other = folder_.path() / "other";
  std::filesystem::create_directory(other);
  std::filesystem::create_symlink(folder_.path() / "weights.bin", other / "weights.bin");
  ASSERT_TRUE(write_file(other / "program.json", to_json(wider_program()).dump()));

  const auto taken = package->take_extents(other);
  ASSERT_TRUE(taken) << to_text(taken.error());
  EXPECT_EQ(package->memory_of(small_program().slots[1]), w);
  ASSERT_TRUE(package->set_input(0, floats({2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
  auto executor = make_sequential_executor(*package);
  ASSERT_TRUE(executor);
  ASSERT_EQ((*executor)->run(), 0);
  EXPECT_EQ(values_of(package->output(0)),
            std::vector<float>({101, 2, 3, 4, 5, 6, 107, 8, 9, 10, 11, 12}));

  ASSERT_TRUE(package->take_extents(folder_.path()));
  EXPECT_EQ(package->program(), small_program());
}

TEST_F(LoadedPackages, KeepTheirProgramWhereTheWeightsAreAnotherFile) {
  const auto package = loaded();
  const auto other = folder_.path() / "other";
  std::filesystem::create_directory(other);
  ASSERT_TRUE(write_file(other / "weights.bin", std::string(192, '\0')));
  ASSERT_TRUE(write_file(other / "program.json", to_json(wider_program()).dump()));
  const auto taken = package->take_extents(other);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("are not those that are loaded"));
  EXPECT_EQ(package->program(), small_program());
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
