#include "planning/together/kept_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "experiments/together/set_unit.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class KeptSetFiles : public ::testing::Test {
 protected:
  static KernelSpec unit(const char* text) {
    return set_unit(text, parse_target("llvm -mcpu=core-avx2").value()).value();
  }
  static KernelChoice kernel(const KernelSpec& spec, const char* origin) {
    return {.workload = text_of(spec.workload),
            .blocks = blocks_of(spec),
            .schedule = spec.schedule,
            .config = spec.config,
            .origin = origin};
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  const std::array<KernelSpec, 2> units_ = {unit("matmul 8x16 w:16x8"), unit("relu 1x16x8x8")};
  const std::array<KernelSpec, 2> other_way_ = {units_[1], units_[0]};
  const KeptSet choice_{.arrangement = Arrangement::kHelpsFirst,
                        .kernels = {kernel(units_[0], "space"), kernel(units_[1], "rule")},
                        .baseline = "sequential",
                        .speedup = 1.25,
                        .timestamp = "2026-11-25T20:00:00Z",
                        .target = "llvm -mcpu=core-avx2"};
};

TEST_F(KeptSetFiles, AreFoundInBothOrders) {
  ASSERT_TRUE(keep_set(folder_.path(), units_, choice_));
  const auto same = kept_set(folder_.path(), units_);
  ASSERT_TRUE(same) << to_text(same.error());
  ASSERT_TRUE(*same);
  EXPECT_EQ(**same, choice_);
  const auto other = kept_set(folder_.path(), other_way_);
  ASSERT_TRUE(other && *other);
  EXPECT_EQ((*other)->arrangement, Arrangement::kHelpsSecond);
  EXPECT_EQ((*other)->kernels[0], choice_.kernels[1]);
  EXPECT_EQ(set_key(units_), set_key(other_way_));
}

TEST_F(KeptSetFiles, AreOfOneSetAlone) {
  ASSERT_TRUE(keep_set(folder_.path(), units_, choice_));
  const auto none = kept_set(folder_.path(), {units_[0], units_[0]});
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
}

TEST_F(KeptSetFiles, AreListedForTheirTargetAlone) {
  ASSERT_TRUE(keep_set(folder_.path(), units_, choice_));
  const Target target = units_[0].target;
  const KeptSets here = kept_sets(folder_.path(), target);
  ASSERT_EQ(here.sets.size(), 1U);
  EXPECT_EQ(here.sets.begin()->first, set_key(units_));
  EXPECT_EQ(here.sets.begin()->second.speedup, choice_.speedup);
  EXPECT_THAT(kept_sets(folder_.path(), parse_target("llvm -mcpu=haswell").value()).sets,
              IsEmpty());
  EXPECT_THAT(kept_sets(folder_.path() / "none", target).sets, IsEmpty());
}

TEST_F(KeptSetFiles, AreListedBesideWhatCannotBeRead) {
  ASSERT_TRUE(keep_set(folder_.path(), units_, choice_));
  ASSERT_TRUE(write_file(folder_.path() / "_together" / "0123.json", "{"));
  const KeptSets here = kept_sets(folder_.path(), units_[0].target);
  EXPECT_EQ(here.sets.size(), 1U);
  EXPECT_THAT(here.warnings, ElementsAre(HasSubstr("0123.json")));
}

TEST_F(KeptSetFiles, RefuseADamagedFile) {
  ASSERT_TRUE(keep_set(folder_.path(), units_, choice_));
  const auto file = kept_set_file(folder_.path(), set_key(units_));
  ASSERT_TRUE(write_file(file, R"({"schema": "opbench.kept-set/1", "arrangement": "apart"})"));
  const auto damaged = kept_set(folder_.path(), units_);
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().message, HasSubstr("is no choice for a set"));
}

}  // namespace
}  // namespace opbench
