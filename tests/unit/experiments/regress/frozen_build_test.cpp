#include "experiments/regress/frozen_build.h"

#include <gmock/gmock.h>

#include "experiments/regress/git_commits.h"
#include "experiments/regress/kept_builds.h"
#include "scratch_repository.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

class FrozenBuilds : public ::testing::Test {
 protected:
  FrozenBuilds() {
    recipe_ = {.checkout = repository_.path(),
               .command = "chmod +x mine",
               .engines = {{"mine", "mine"}},
               .folder = folder_.path() / "builds"};
    first_ = repository_.commit("mine", "one", "one");
    second_ = repository_.commit("mine", "two", "two");
    fs::create_directories(suite_folder());  // a night that is measured has it
  }

  FrozenControl control(const std::string& commit, const std::string& method = "m1") {
    const auto build = build_commit(recipe_, commit);
    EXPECT_TRUE(build) << to_text(build.error());
    auto control = frozen_control(suite_folder(), recipe_, *build, method, "s1");
    EXPECT_TRUE(control) << to_text(control.error());
    return control ? *control : FrozenControl();
  }

  fs::path suite_folder() const { return folder_.path() / "store" / "watch" / "small"; }

  ScratchRepository repository_;
  TemporaryFolder folder_ = std::move(*TemporaryFolder::make());
  BuildRecipe recipe_;
  std::string first_, second_;
};

TEST_F(FrozenBuilds, AreThoseOfTheFirstNightOfASegment) {
  const FrozenControl begun = control(first_);
  EXPECT_EQ(begun.commit, first_);
  EXPECT_THAT(begun.note, HasSubstr("no engine of the suite is left alone"));
  ASSERT_EQ(begun.engines.size(), 1U);
  EXPECT_EQ(begun.engines[0].name, "mine-frozen");
  const FrozenControl next = control(second_);
  EXPECT_EQ(next.commit, first_);
  EXPECT_EQ(next.engines, begun.engines);
  EXPECT_THAT(next.note, IsEmpty());
  EXPECT_EQ(*read_file(next.engines[0].command.front()), "one");
  const FrozenControl other = control(second_, "m2");
  EXPECT_EQ(other.commit, second_);
  EXPECT_THAT(other.note, HasSubstr("a new method or environment begins"));
}

TEST_F(FrozenBuilds, BeginAnewWhereTheyAreLost) {
  control(first_);
  fs::remove_all(build_tree(recipe_, first_));
  const FrozenControl next = control(second_);
  EXPECT_EQ(next.commit, second_);
  EXPECT_THAT(next.note, HasSubstr("the frozen build of " + short_commit(first_) + " is lost"));
  ASSERT_TRUE(write_file(suite_folder() / "frozen.json", "{\"commit\":"));
  EXPECT_EQ(control(first_).commit, first_) << "what was cut says nothing";
}

TEST_F(FrozenBuilds, AreNotPruned) {
  control(first_);
  control(second_);
  const fs::path frozen = build_tree(recipe_, first_), other = build_tree(recipe_, second_);
  ASSERT_TRUE(prune_builds(recipe_.folder, {.builds = 0}));
  EXPECT_TRUE(fs::exists(frozen));
  EXPECT_FALSE(fs::exists(other));
  control(second_, "m2");
  ASSERT_TRUE(prune_builds(recipe_.folder, {.builds = 0}));
  EXPECT_FALSE(fs::exists(frozen)) << "its segment is over";
  EXPECT_TRUE(fs::exists(other));
  fs::remove_all(suite_folder());
  ASSERT_TRUE(prune_builds(recipe_.folder, {.builds = 0}));
  EXPECT_FALSE(fs::exists(other)) << "its suite is gone";
}

TEST(FrozenControls, AreForSuitesWithoutOthers) {
  const BuildRecipe recipe{.command = "true", .engines = {{"mine", "mine"}, {"other", "other"}}};
  Suite suite{.models = {"resnet-18"}, .engines = {"mine"}};
  const Suite with = with_frozen_controls(suite, recipe);
  EXPECT_THAT(with.engines, ElementsAre("mine", "mine-frozen"));
  EXPECT_THAT(with.controls, ElementsAre("mine-frozen"));
  EXPECT_EQ(with_frozen_controls(suite, {}), suite) << "nothing is built";
  suite.freezes = false;
  EXPECT_EQ(with_frozen_controls(suite, recipe), suite);
  suite.freezes = true;
  suite.engines = {"mine", "onnxruntime"};
  suite.controls = {"onnxruntime"};
  EXPECT_EQ(with_frozen_controls(suite, recipe), suite);
}

}  // namespace
}  // namespace opbench
