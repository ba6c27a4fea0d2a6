#include "engines/serve/query_arena.h"

#include <gmock/gmock.h>

#include "package_fixture.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

class QueryArenas : public PackageFixture {
 protected:
  static std::unique_ptr<QueryArena> made(const TeamPackages& packages) {
    auto arena = QueryArena::make(packages);
    EXPECT_TRUE(arena) << to_text(arena.error());
    return arena ? std::move(*arena) : nullptr;
  }

  Team alone_{1};
};

TEST_F(QueryArenas, KeepTheValuesOfQueriesThatTakeTurns) {
  const auto package = loaded(small_program(), {.shift_bytes = 64});
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
  const auto first = made({package.get()});
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {-9, 0, 0, 0, 0, 9})));
  const auto second = made({package.get()});
  EXPECT_EQ(first->run(0, {0, 1}, alone_, 0), 0);
  EXPECT_EQ(second->run(0, {0, 1}, alone_, 0), 0);
  EXPECT_EQ(first->run(0, {1, 2}, alone_, 0), 0);
  EXPECT_EQ(second->run(0, {1, 2}, alone_, 0), 0);
  EXPECT_EQ(values_of(first->output(0)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values_of(second->output(0)), (std::vector<float>{0, 1, 2, 3, 4, 14}));
}

TEST_F(QueryArenas, NeedNoEarlierValue) {
  const auto package = loaded();
  ASSERT_TRUE(package->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
  const auto arena = made({package.get()});
  arena->poison();
  EXPECT_EQ(arena->run(0, {0, arena->steps()}, alone_, 0), 0);
  EXPECT_EQ(values_of(arena->output(0)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(QueryArenas, GoOnWithTheKernelsOfAnotherTeam) {
  const auto one = loaded(), two = loaded();
  ASSERT_TRUE(one->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
  const auto arena = made({one.get(), two.get()});
  EXPECT_EQ(arena->run(0, {0, 1}, alone_, 0), 0);
  EXPECT_EQ(arena->run(1, {1, 2}, alone_, 0), 0);
  EXPECT_EQ(values_of(arena->output(0)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(QueryArenas, RefusePackagesThatKeepValuesElsewhere) {
  Program other = small_program();
  other.slots[2].offset = 128;
  other.slots[3].offset = 192;
  other.arena_bytes = 256;
  const auto one = loaded(), two = loaded(other);
  const auto arena = QueryArena::make({one.get(), two.get()});
  ASSERT_FALSE(arena);
  EXPECT_THAT(arena.error().message, HasSubstr("a query cannot change its team"));
  EXPECT_EQ(arena.error().facts.front().text, "\"sum\"");
}

}  // namespace
}  // namespace opbench
