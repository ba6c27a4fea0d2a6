#include "experiments/unit_times/measured_pairs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "base/json/json.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// A report of interference of four units, in which the second of each pair is slowed by 1.5.
Json report() {
  Json json = {{"schema", "opbench.interference/1"}, {"peak_gbytes_per_s", 20.0}};
  const char* names[] = {"A", "B", "C", "D"};
  for (const char* name : names) {
    json["units"].push_back({{"unit", name},
                             {"workload", "relu 1x64x56x56"},
                             {"alone_ms", 2.0},
                             {"pressure", {{"ratio", 1.25}}}});
  }
  const auto slow_down = [](double ratio) {
    return Json{{"ratio", ratio}, {"low", ratio - 0.0392}, {"high", ratio + 0.0392}};
  };
  for (const char* a : names) {
    for (const char* b : names) {
      json["pairs"].push_back({{"first", a},
                               {"second", b},
                               {"slow_down_of_first", slow_down(1)},
                               {"slow_down_of_second", slow_down(1.5)}});
    }
  }
  return json;
}

TEST(ParseMeasuredPairs, TakesUnitsAndSlowDowns) {
  const auto pairs = parse_measured_pairs(report().dump(), "p.json");
  ASSERT_TRUE(pairs) << to_text(pairs.error());
  ASSERT_EQ(pairs->groups.size(), 16u);
  EXPECT_EQ(pairs->left_out, 0u);
  EXPECT_DOUBLE_EQ(pairs->bytes_per_ms, 20e6);
  const GroupSample& group = pairs->groups[0];
  EXPECT_DOUBLE_EQ(group.parts[0].solo_ms, 2);
  EXPECT_DOUBLE_EQ(group.parts[0].pressure, 1.25);
  EXPECT_DOUBLE_EQ(group.parts[0].bytes, 2 * 64 * 56 * 56 * 4);
  // The first ends at 2; the second has done 2 / 1.5 then, and goes on alone.
  EXPECT_DOUBLE_EQ(group.ends_ms[0], 2);
  EXPECT_DOUBLE_EQ(group.ends_ms[1], 2 + 2 - 2 / 1.5);
  EXPECT_NEAR(group.error, 0.02, 1e-9);
}

TEST(ParseMeasuredPairs, TakesSensitivityFromTheLevelsOfTheNeighbour) {
  Json json = report();
  json["probe"] = {{{"neighbour", "16 MiB"},
                    {"bytes", 16 << 20},
                    {"is_probe", true},
                    {"slow_down_of_probe", {{"ratio", 1.4}}}},
                   {{"neighbour", "128 MiB"}, {"bytes", 128 << 20}, {"is_probe", false}}};
  json["units"][0]["beside"] = {
      {{"neighbour", "16 MiB"}, {"slow_down_of_unit", {{"ratio", 1.2}}}},
      {{"neighbour", "128 MiB"}, {"slow_down_of_unit", {{"ratio", 1.7}}}}};
  const auto pairs = parse_measured_pairs(json.dump(), "p.json");
  ASSERT_TRUE(pairs) << to_text(pairs.error());
  EXPECT_DOUBLE_EQ(pairs->cache_bytes, 32 << 20);
  const GroupPart& part = pairs->groups[0].parts[0];
  EXPECT_EQ(part.sensitivity, (std::vector<SensitivityPoint>{{1.4, 1.2}}));
  EXPECT_DOUBLE_EQ(part.memory_bytes, 0) << "1.6 MB stay in a cache of 32 MiB";
  EXPECT_EQ(pairs->groups[1].segments, (std::vector<size_t>{0, 1}));
}

TEST(ParseMeasuredPairs, LeavesOutPairsWithoutSlowDowns) {
  Json json = report();
  json["pairs"][3]["slow_down_of_second"] = nullptr;
  json["pairs"][4]["first"] = "Z";
  json["pairs"][5] = 7;
  const auto pairs = parse_measured_pairs(json.dump(), "p.json");
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->groups.size(), 13u);
  EXPECT_EQ(pairs->left_out, 3u);
}

TEST(ParseMeasuredPairs, RefusesOtherFiles) {
  const auto message = [](const std::string& text) {
    const auto pairs = parse_measured_pairs(text, "p.json");
    return pairs ? "" : pairs.error().message;
  };
  EXPECT_THAT(message("{"), HasSubstr("p.json"));
  EXPECT_EQ(message("[]"), "\"p.json\" is no report of interference");
  EXPECT_EQ(message(R"({"schema": "opbench.plan/1"})"), "\"p.json\" is no report of interference");
  EXPECT_EQ(message(R"({"schema": "opbench.interference/1"})"),
            "\"p.json\" has 0 pairs with slow-downs and 0 without, at least 10 are needed");
  EXPECT_EQ(message(R"({"schema": "opbench.interference/1", "units": 3, "pairs": {"a": []}})"),
            "\"p.json\" has 0 pairs with slow-downs and 1 without, at least 10 are needed");
}

TEST(PartsOf, SumUpTheUnitsOfASegment) {
  const ServedModel model{"m",
                          {{.first_unit = 0, .units = 2, .times_ms = {3, 2}},
                           {.first_unit = 2, .units = 1, .times_ms = {1, 1}}}};
  std::vector<UnitIdentity> units;
  for (const char* text : {"relu 1x10", "relu 1x30", "no such"}) {
    units.push_back(identity_from({.workload = text}));
  }
  const auto parts = parts_of(model, units, 0);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_DOUBLE_EQ(parts[0].solo_ms, 3);
  EXPECT_DOUBLE_EQ(parts[0].bytes, 2 * 4 * 40);
  EXPECT_DOUBLE_EQ(parts[0].resident_bytes, 2 * 4 * 30);
  EXPECT_DOUBLE_EQ(parts[1].bytes, 0);
}

TEST(LearntSlowDown, IsThatOfThePairs) {
  const auto pairs = parse_measured_pairs(report().dump(), "p.json").value();
  GroupPart part = pairs.groups[0].parts[0];
  part.pressure = 1;
  const auto slow_down = learnt_slow_down(pairs, {{part}, {part}});
  ASSERT_TRUE(slow_down) << to_text(slow_down.error());
  const SegmentPlace other{1, 0};
  // All units are equal: half of the slow-downs are 1, half 1.5, and their logarithms have a mean.
  EXPECT_NEAR((*slow_down)({0, 0}, {&other, 1}), std::sqrt(1.5), 0.02);
  EXPECT_EQ((*slow_down)({0, 0}, {&other, 1}), (*slow_down)({0, 0}, {&other, 1}));
}

}  // namespace
}  // namespace opbench
