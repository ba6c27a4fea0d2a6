#include "records/json/json_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files/file.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// `LINE:COLUMN KEY TEXT`, or the issue's code in place of the text.
std::vector<std::string> slices(const std::string& content,
                                const JsonValues::Options& options = {}) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "file";
  EXPECT_TRUE(write_file(path, content));
  auto values = JsonValues::open(path.string(), options);
  EXPECT_TRUE(values);
  std::vector<std::string> result;
  while (true) {
    const auto slice = values->next();
    EXPECT_TRUE(slice);
    if (!slice || !*slice) return result;
    std::string text = std::to_string((*slice)->line) + ":" + std::to_string((*slice)->column);
    if (!(*slice)->key.empty()) text += " " + (*slice)->key;
    result.push_back(text + " " +
                     ((*slice)->issue ? (*slice)->issue->code : std::string((*slice)->text)));
  }
}

TEST(JsonValues, OneObjectOverSeveralLines) {
  EXPECT_THAT(slices("{\n \"a\": \"}\\\"\"\n}\n"), ElementsAre("1:1 {\n \"a\": \"}\\\"\"\n}"));
  EXPECT_THAT(slices("{\n\"a\": 1}\n\n{\n\"a\": 2}"),
              ElementsAre("1:1 {\n\"a\": 1}", "4:1 {\n\"a\": 2}"));
}

TEST(JsonValues, ItemsOfAnArray) {
  EXPECT_THAT(slices("[{\"a\": 1},\n  {\"b\": [2]}, 3, \"x,]\"]"),
              ElementsAre("1:2 {\"a\": 1}", "2:3 {\"b\": [2]}", "2:15 3", "2:18 \"x,]\""));
  EXPECT_THAT(slices("[]"), IsEmpty());
  EXPECT_THAT(slices("[{}\n"), ElementsAre("1:2 {}", "2:1 E_TORN"));
}

TEST(JsonValues, OneValueALineWhereABadOneTakesNoOtherWithIt) {
  EXPECT_THAT(slices("{\"a\": 1}\n\n{\"b\": \n{\"c\": 3}\nno\n"),
              ElementsAre("1:1 {\"a\": 1}", "3:1 {\"b\": ", "4:1 {\"c\": 3}", "5:1 no"));
  EXPECT_THAT(slices("{\"a\": \n{\"b\": 2}\n"), ElementsAre("1:1 {\"a\": ", "2:1 {\"b\": 2}"));
}

TEST(JsonValues, MembersOfAnObjectAndItemsOfThoseThatAreArrays) {
  EXPECT_THAT(slices("{\"context\": {\"x\": [1]}, \"rows\": [{\"a\": 1},\n{\"a\": 2}], \"n\": 5}",
                     {.into_objects = true}),
              ElementsAre("1:13 context {\"x\": [1]}", "1:34 rows {\"a\": 1}",
                          "2:1 rows {\"a\": 2}", "2:17 n 5"));
  EXPECT_THAT(slices("{\"rows\": [1, ", {.into_objects = true}),
              ElementsAre("1:11 rows 1", "1:14 rows E_TORN"));
  EXPECT_THAT(slices("{rows: 1}\n", {.into_objects = true}), testing::Contains("1:2 E_JSON"));
}

TEST(JsonValues, AValueBeyondTheLimitIsPassedOver) {
  const std::string text = "[{\"a\": \"" + std::string(5000, 'x') + "\"}, {\"b\": 1}]";
  EXPECT_THAT(slices(text, {.most_bytes = 1000}), ElementsAre("1:2 E_JSON", "1:5013 {\"b\": 1}"));
  const std::string lines = "{\"a\": \"" + std::string(600'000, 'x') + "\"}\n{\"b\": 1}\n";
  EXPECT_THAT(slices(lines, {.most_bytes = 1000}), ElementsAre("1:1 E_JSON", "2:1 {\"b\": 1}"));
}

TEST(JsonValues, ValuesMayLieAcrossTheBuffersEnd) {
  std::string text = "[";
  for (int i = 0; i < 40'000; ++i) text += (i > 0 ? ", " : "") + std::string("{\"a\": \"x]\"}");
  const auto found = slices(text + "]");
  ASSERT_EQ(found.size(), 40'000u);
  EXPECT_EQ(found.back(), "1:" + std::to_string(text.size() - 10) + " {\"a\": \"x]\"}");
}

}  // namespace
}  // namespace opbench
