#include "experiments/regress/kept_lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <vector>

#include "base/files/file.h"

namespace opbench {
namespace {

class KeptLines : public ::testing::Test {
 protected:
  Result<std::vector<int>> numbers() const {
    std::vector<int> found;
    OPBENCH_CHECK(read_kept_lines(file_, "number", [&](const Json& json) -> Result<void> {
      found.push_back(json.at("number").get<int>());
      return {};
    }));
    return found;
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path file_ = folder_.path() / "below" / "numbers.jsonl";
};

TEST_F(KeptLines, AreReadInTheirOrder) {
  EXPECT_EQ(numbers(), std::vector<int>()) << "there is no file yet";
  ASSERT_TRUE(keep_line(file_, {{"number", 1}}));
  ASSERT_TRUE(keep_line(file_, {{"number", 2}}));
  EXPECT_EQ(numbers(), (std::vector<int>{1, 2}));
}

TEST_F(KeptLines, OutliveALineWithoutItsEnd) {
  ASSERT_TRUE(keep_line(file_, {{"number", 1}}));
  ASSERT_TRUE(append_file(file_, R"({"number": 2)"));
  EXPECT_EQ(numbers(), std::vector<int>{1});
  ASSERT_TRUE(keep_line(file_, {{"number", 3}}));
  EXPECT_EQ(numbers(), (std::vector<int>{1, 3}));
}

TEST_F(KeptLines, AreRefusedWithTheirPlaceWhenTheyHoldSomethingElse) {
  ASSERT_TRUE(keep_line(file_, {{"number", 1}}));
  ASSERT_TRUE(keep_line(file_, {{"number", "two"}}));
  const auto refused = numbers();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "damaged number");
  EXPECT_EQ(refused.error().facts.back().text, file_.string() + ":2");
}

}  // namespace
}  // namespace opbench
