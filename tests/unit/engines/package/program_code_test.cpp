#include "engines/package/program_code.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "engines/package/package.h"
#include "machine/target/parse_target.h"
#include "model_maker.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// Two steps: slot 0 -> slot 1 with the weight in slot 2, slot 1 -> slot 3.
Program two_steps() {
  Program program{.model = "two", .inputs = {0}, .outputs = {3}};
  for (const char* name : {"x", "a", "w", "y"}) {
    program.slots.push_back({.name = name,
                             .type = {DataType::kFloat32, {4, 4}},
                             .physical = {4, 4},
                             .offset = 64 * std::ssize(program.slots),
                             .bytes = 64});
  }
  program.slots[2].storage = Storage::kWeights;
  program.steps = {
      {.unit = 0, .symbol = "k_1", .workload = "u", .arguments = {0, 2}, .results = {1}},
      {.unit = 1,
       .symbol = "k_2",
       .workload = "v",
       .arguments = {1},
       .results = {3},
       .needs = {0}}};
  return program;
}

const KernelHashes kKernels = {{"k_1", "aa"}, {"k_2", "bb"}};

TEST(ProgramCode, OfAStepCountsItsKernelAndItsTensors) {
  const Program program = two_steps();
  const std::string hash = hash_of_step(program, 0, kKernels);
  EXPECT_NE(hash_of_step(program, 0, {{"k_1", "ac"}, {"k_2", "bb"}}), hash);
  EXPECT_EQ(hash_of_step(program, 0, {{"k_1", "aa"}, {"k_2", "bc"}}), hash);
  Program moved = program;
  moved.slots[1].offset += 64;
  EXPECT_NE(hash_of_step(moved, 0, kKernels), hash);
  EXPECT_NE(hash_of_step(moved, 1, kKernels), hash_of_step(program, 1, kKernels));
  Program packed = program;
  packed.slots[2].physical = {2, 8};
  EXPECT_NE(hash_of_step(packed, 0, kKernels), hash);
  EXPECT_EQ(hash_of_step(packed, 1, kKernels), hash_of_step(program, 1, kKernels));
  Program teams = program;
  teams.teams = {.workers = 2, .steps = {{0, {0, 1}, {}}, {1, {0}, {0}}}};
  EXPECT_NE(hash_of_step(teams, 0, kKernels), hash);
}

TEST(ProgramCode, OfAStepLeavesOutNamesAndWhereWeightsLie) {
  const Program program = two_steps();
  Program other = program;
  other.model = "another";
  for (Slot& slot : other.slots) slot.name += "_renamed";
  other.slots[2].offset += 4096;
  other.steps[0].symbol = "k_3";
  EXPECT_EQ(hash_of_step(other, 0, {{"k_3", "aa"}, {"k_2", "bb"}}),
            hash_of_step(program, 0, kKernels));
}

TEST(ProgramCode, OfAProgramCountsAll) {
  const Program program = two_steps();
  const std::string hash = hash_of_program(program, kKernels);
  Program renamed = program;
  renamed.model = "another";
  renamed.steps[0].symbol = "k_3";
  EXPECT_EQ(hash_of_program(renamed, {{"k_3", "aa"}, {"k_2", "bb"}}), hash);
  EXPECT_NE(hash_of_program(program, {{"k_1", "aa"}, {"k_2", "bc"}}), hash);
  Program moved = program;
  moved.slots[2].offset += 64;
  EXPECT_NE(hash_of_program(moved, kKernels), hash);
}

/// Packages of two convolutions, each built with a cache of its own.
class BuiltCode : public ::testing::Test {
 protected:
  BuiltCode() : folder_(std::move(*TemporaryFolder::make())), model_(two_convolutions()) {}

  static Model two_convolutions() {
    ModelMaker m;
    const std::string x = m.input("x", {1, 16, 14, 14});
    const std::string a = m.node("Relu", {m.conv(x, 16, 32, 3, "a")}, "ar");
    return m.finish({m.node("Relu", {m.conv(a, 32, 16, 3, "b")}, "y")});
  }

  Package built(const std::vector<KernelChoice>& choices, size_t workers) {
    const fs::path place = folder_.path() / std::to_string(++builds_);
    PackageOptions options{.target = host_target(),
                           .folder = place / "package",
                           .cache = place / "cache",
                           .choices = KernelChoices(choices)};
    options.build.worker = {OPBENCH_BINARY_DIR "/opbench", "build-worker"};
    options.build.workers = static_cast<int>(workers);
    auto package = build_package(model_, fuse(model_), options);
    EXPECT_TRUE(package) << to_text(package.error());
    return std::move(*package);
  }

  static const PackagedUnit& unit_of(const Package& package, const std::string& output) {
    return *std::ranges::find(package.units, output,
                              [](const PackagedUnit& unit) { return unit.values.output; });
  }

  /// The kernel of the first convolution with this tile.
  KernelChoice tiled(const Package& package, int64_t tile) const {
    const UnitIdentity& identity = unit_of(package, "ar").identity;
    return {.workload = text_of(*identity.workload),
            .blocks = identity.blocks,
            .schedule = "conv2d_direct",
            .config = {{"tile_x", tile}},
            .origin = "here"};
  }

  TemporaryFolder folder_;
  Model model_;
  int builds_ = 0;
};

TEST_F(BuiltCode, IsTheSameForEveryBuild) {
  const Package first = built({}, 1);
  const Package second = built({}, 2);
  ASSERT_EQ(first.units.size(), second.units.size());
  for (size_t i = 0; i < first.units.size(); ++i) {
    EXPECT_EQ(first.units[i].code_hash.size(), 64U);
    EXPECT_EQ(first.units[i].code_hash, second.units[i].code_hash) << first.units[i].values.output;
  }
  EXPECT_EQ(first.code_hash, second.code_hash);
}

TEST_F(BuiltCode, ChangesForTheUnitWhoseScheduleChanged) {
  const Package base = built({}, 2);
  const Package narrow = built({tiled(base, 2)}, 2);
  const Package wide = built({tiled(base, 5)}, 2);
  ASSERT_EQ(narrow.units.size(), wide.units.size());
  ASSERT_EQ(unit_of(wide, "ar").identity.origin, "here");
  for (size_t i = 0; i < wide.units.size(); ++i) {
    const bool is_changed = wide.units[i].values.output == "ar";
    EXPECT_EQ(narrow.units[i].code_hash != wide.units[i].code_hash, is_changed)
        << wide.units[i].values.output;
  }
  EXPECT_NE(narrow.code_hash, wide.code_hash);
}

}  // namespace
}  // namespace opbench
