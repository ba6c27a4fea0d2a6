#include "records/json/strict_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace opbench {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The fault of a text that is no JSON.
RecordIssue fault(std::string_view text) {
  std::vector<RecordIssue> issues;
  EXPECT_FALSE(StrictJson::parse(text, issues));
  EXPECT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues.front().code, "E_JSON");
  return issues.front();
}

TEST(StrictJson, ReadsValuesInTheirOrder) {
  std::vector<RecordIssue> issues;
  const std::string text = R"({"b":[1,-2,2.5,"\u00e9",null,true],"a":{"b":{}}})";
  const auto json = StrictJson::parse(text, issues);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->value().dump(), R"({"b":[1,-2,2.5,"é",null,true],"a":{"b":{}}})");
}

TEST(StrictJson, RefusesWhatCannotBeKept) {
  EXPECT_THAT(fault(R"({"a": 1, "a": 2})").message, HasSubstr("the key \"a\" is there twice"));
  EXPECT_EQ(fault(R"({"a": 1, "a": 2})").column, 12);
  EXPECT_THAT(fault("[123456789012345678901]").message, HasSubstr("does not fit in 64 bits"));
  EXPECT_THAT(fault("[1e999]").message, HasSubstr("number overflow"));
  EXPECT_THAT(fault(std::string(200, '[')).message, HasSubstr("deeper than 100"));
  EXPECT_THAT(fault("{\"a\": \"\xff\"}").message, HasSubstr("UTF-8"));
  EXPECT_THAT(fault("[NaN]").message, Not(HasSubstr("documentation")));
  EXPECT_THAT(fault("").message, HasSubstr("unexpected end"));
  EXPECT_THAT(fault("[1] 2").message, HasSubstr("expected end"));
  std::string many = "{";
  for (int i = 0; i < 10'002; ++i) many += "\"" + std::to_string(i) + "\":0,";
  EXPECT_THAT(fault(many).message, HasSubstr("more than 10000 keys"));
}

TEST(StrictJson, KnowsTheTablesOfTheDocumentation) {
  for (const char* text :
       {"{“llvm”: “llvm-8”}", R"({"data_layout": NHWC})", R"({"shape": [list_of_shape]})",
        R"({"number": 1, "min_repeat_ms", 0})", R"({{"input_shape": [3]}, {"x": 1}})",
        R"({"input_shape": (3, 224, 224)})", R"({"layer_schedules": <SHA>})"}) {
    EXPECT_THAT(fault(text).message, HasSubstr("looks like the documentation example")) << text;
  }
  EXPECT_EQ(fault(R"({"data_layout": NHWC})").column, 17);
}

TEST(StrictJson, FindsThePlacesOfFields) {
  std::vector<RecordIssue> issues;
  const auto json =
      StrictJson::parse("{\"a\": 1,\n  \"b\": {\"a\": 2},\n\"c\" :\n 3}", issues, 10, 5);
  ASSERT_TRUE(json);
  issues = {{"W_X", "a", ""}, {"W_X", "b.a", ""}, {"W_X", "c", ""}, {"W_X", "none", ""}};
  json->place(issues);
  EXPECT_EQ(issues[0].line, 10);
  EXPECT_EQ(issues[0].column, 11);
  EXPECT_EQ(issues[1].line, 11);
  EXPECT_EQ(issues[1].column, 8);
  EXPECT_EQ(issues[2].line, 13);
  EXPECT_EQ(issues[2].column, 2);
  EXPECT_EQ(issues[3].column, 0);
}

}  // namespace
}  // namespace opbench
