#include "experiments/regress/commit_build.h"

#include <gmock/gmock.h>

#include "scratch_repository.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

class CommitBuilds : public ::testing::Test {
 protected:
  CommitBuilds() : builds_(std::move(*TemporaryFolder::make())) {
    recipe_ = {
        .checkout = repository_.path(),
        .command =
            "echo made >> ../count; mkdir -p out && cp engine.sh out/mine && chmod +x out/mine",
        .engines = {{"mine", "out/mine"}},
        .folder = builds_.path()};
  }

  /// How often the command ran.
  int64_t runs() const {
    for (const auto& entry : fs::recursive_directory_iterator(builds_.path())) {
      if (entry.path().filename() != "count") continue;
      const std::string text = *read_file(entry.path());
      return std::ranges::count(text, '\n');
    }
    return 0;
  }

  ScratchRepository repository_;
  TemporaryFolder builds_;
  BuildRecipe recipe_;
};

TEST_F(CommitBuilds, AreMadeOnceACommit) {
  const std::string first = repository_.commit("engine.sh", "one", "one");
  const std::string second = repository_.commit("engine.sh", "two", "two");
  const auto a = build_commit(recipe_, first), b = build_commit(recipe_, second);
  ASSERT_TRUE(a) << to_text(a.error());
  ASSERT_TRUE(b) << to_text(b.error());
  ASSERT_EQ(a->engines.size(), 1U);
  EXPECT_EQ(a->engines[0].name, "mine");
  EXPECT_EQ(*read_file(a->engines[0].command.front()), "one");
  EXPECT_EQ(*read_file(b->engines[0].command.front()), "two");
  EXPECT_EQ(runs(), 2);
  const auto again = build_commit(recipe_, first);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->engines, a->engines);
  EXPECT_EQ(runs(), 2);
  // What somebody removed is built again.
  fs::remove(a->engines[0].command.front());
  EXPECT_TRUE(build_commit(recipe_, first));
  EXPECT_EQ(runs(), 3);
}

TEST_F(CommitBuilds, SayWhyThereIsNone) {
  const std::string commit = repository_.commit("engine.sh", "one", "one");
  recipe_.command = "echo wrong word >&2; exit 3";
  const auto failed = build_commit(recipe_, commit);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(to_text(failed.error()), HasSubstr("ended with exit code 3"));
  EXPECT_THAT(to_text(failed.error()), HasSubstr("its last line: wrong word"));
  recipe_.command = "true";
  EXPECT_THAT(to_text(build_commit(recipe_, commit).error()),
              HasSubstr("made no program \"out/mine\""));
  recipe_.command = "touch out; mkdir -p out";
  EXPECT_FALSE(build_commit(recipe_, commit));
  EXPECT_FALSE(build_commit(recipe_, std::string(40, '0')));
}

TEST(BuiltEngine, IsANameAndAPlace) {
  EXPECT_EQ(parse_built_engine("mine=build/mine").value(), (BuiltEngine{"mine", "build/mine"}));
  for (const char* text :
       {"mine", "mine=", "=build/mine", "mine=/usr/bin/mine", "halide=x", "a b=x"}) {
    EXPECT_FALSE(parse_built_engine(text)) << text;
  }
}

}  // namespace
}  // namespace opbench
