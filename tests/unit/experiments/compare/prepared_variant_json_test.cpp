#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "variant_example.h"

namespace opbench {
namespace {

TEST(SideJson, ComesBackWhole) {
  PreparedVariant side = example_variant();
  side.units[1].failure = Failure{FailureKind::kWrongResult, "differs"};
  side.units[1].unit_id.reset();
  side.units[0].remark = "other is wrong here";
  side.info.check.max_relative_error.reset();
  const Json json = side_json(side);
  const Result<PreparedVariant> back = side_from_json(Json::parse(json.dump()));
  ASSERT_TRUE(back) << to_text(back.error());
  EXPECT_EQ(side_json(*back), json);
  EXPECT_EQ(back->units, side.units);
  EXPECT_EQ(back->inputs, side.inputs);
  EXPECT_EQ(back->command.argv, side.command.argv);
  EXPECT_EQ(back->command.cpus, side.info.cpus);
  EXPECT_EQ(back->preparations.front().params, side.preparations.front().params);
}

TEST(SideJson, NamesAFieldThatIsMissing) {
  Json json = side_json(example_variant());
  json.erase("preparations");
  const Result<PreparedVariant> back = side_from_json(json);
  ASSERT_FALSE(back);
  EXPECT_NE(to_text(back.error()).find("preparations"), std::string::npos);
}

TEST(SideJson, TakesSidesOfABuildThatMadeNoRemarks) {
  Json json = side_json(example_variant());
  for (Json& unit : json["units"]) unit.erase("remark");
  const Result<PreparedVariant> back = side_from_json(json);
  ASSERT_TRUE(back) << to_text(back.error());
  EXPECT_EQ(back->units, example_variant().units);
}

TEST(SideJson, RefusesAFieldOfAnotherType) {
  Json json = side_json(example_variant());
  json["threads"] = "one";
  EXPECT_FALSE(side_from_json(json));
}

}  // namespace
}  // namespace opbench
