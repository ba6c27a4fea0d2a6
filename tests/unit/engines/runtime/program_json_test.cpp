#include "engines/runtime/program_json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <limits>

#include "small_program.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TEST(Program, ComesBackFromJsonAsItWas) {
  Program program = small_program();
  program.slots[2].layout = {4};
  program.slots[2].physical = {1, 2, 4};
  program.slots[2].bytes = 32;
  program.slots[3].type.data_type = DataType::kInt64;
  program.slots[3].bytes = 48;
  const auto text = to_json(program).dump();
  const auto again = parse_program(Json::parse(text));
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, program);
  EXPECT_EQ(to_json(*again).dump(), text);
}

/// y[3, 2] in three calls, one row each, from x[3, 2] and a state that passes through the rows of
/// y.
Program repeated_program() {
  Program program;
  program.slots = {arena_slot("x", {3, 2}, 0), arena_slot("h", {1, 2}, 64),
                   arena_slot("y", {3, 2}, 128)};
  program.steps = {{0, "k_0", "add 3x2 1x2", {0, 1}, {2}}};
  program.steps[0].repeat = {
      .count = 3, .is_backward = true, .moving = {0, 2}, .feeds = {{.from = 2, .to = 1}}};
  program.inputs = {0, 1};
  program.outputs = {2};
  program.arena_bytes = 192;
  return program;
}

TEST(Program, KeepsARepeatedStep) {
  const Program program = repeated_program();
  const auto again = parse_program(to_json(program));
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, program);
  EXPECT_FALSE(to_json(small_program())["steps"][0].contains("repeat"));
}

TEST(Program, RefusesCallsThatLeaveTheirTensors) {
  const std::vector<std::function<void(CallRepeat&)>> faults = {
      [](CallRepeat& r) { r.count = 0; },        [](CallRepeat& r) { r.count = -3; },
      [](CallRepeat& r) { r.count = 7; },        [](CallRepeat& r) { r.moving = {3}; },
      [](CallRepeat& r) { r.moving = {-1}; },    [](CallRepeat& r) { r.moving = {0}; },
      [](CallRepeat& r) { r.feeds = {{0, 1}}; }, [](CallRepeat& r) { r.feeds = {{2, 2}}; },
      [](CallRepeat& r) { r.feeds = {{2, -1}}; }};
  for (size_t i = 0; i < faults.size(); ++i) {
    Program program = repeated_program();
    faults[i](program.steps[0].repeat);
    const auto parsed = parse_program(to_json(program));
    ASSERT_FALSE(parsed) << "fault " << i;
    EXPECT_THAT(to_text(parsed.error()), HasSubstr("do not fit its tensors"));
  }
}

TEST(Program, RepeatsNoReference) {
  Program program = repeated_program();
  program.steps[0].symbol.clear();
  EXPECT_FALSE(parse_program(to_json(program)));
}

/// x goes to the device, a kernel makes y of it there, which comes back.
Program device_program() {
  Program program;
  program.slots = {arena_slot("x", {1, 6}, 0), arena_slot("x", {1, 6}, 0),
                   arena_slot("y", {1, 6}, 128), arena_slot("y", {1, 6}, 64)};
  program.slots[1].scope = program.slots[2].scope = MemoryScope::kDevice;
  program.steps = {{0, "", "identity 1x6", {0}, {1}},
                   {1, "k_1", "relu 1x6", {1}, {2}, {0}},
                   {2, "", "identity 1x6", {2}, {3}, {1}}};
  program.steps[0].copy = StepCopy::kToDevice;
  program.steps[1].runs_on = MemoryScope::kDevice;
  program.steps[2].copy = StepCopy::kToHost;
  program.inputs = {0};
  program.outputs = {3};
  program.arena_bytes = 128;
  program.device_arena_bytes = 256;
  return program;
}

TEST(Program, KeepsWhatRunsOnADevice) {
  const Json json = to_json(device_program());
  EXPECT_EQ(json["schema"], "opbench.program/6");
  const auto again = parse_program(json);
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, device_program());
  const Json of_host = to_json(small_program());
  EXPECT_EQ(of_host["schema"], "opbench.program/5");
  EXPECT_FALSE(of_host.contains("device_arena_bytes"));
  EXPECT_FALSE(of_host["slots"][0].contains("scope"));
}

TEST(Program, RefusesStepsThatDoNotReachTheirMemory) {
  const std::vector<std::pair<std::function<void(Program&)>, const char*>> faults = {
      {[](Program& p) { p.steps[1].runs_on = MemoryScope::kHost; }, "does not reach"},
      {[](Program& p) { p.steps[0].copy = StepCopy::kToHost; }, "does not reach"},
      {[](Program& p) { p.steps[0].copy = StepCopy::kNone; }, "does not reach"},
      {[](Program& p) { p.slots[2].scope = MemoryScope::kHost; }, "does not reach"},
      {[](Program& p) { p.steps[1].symbol.clear(); }, "has no kernel"},
      {[](Program& p) { p.steps[0].symbol = "k_0"; }, "a copy is not of one tensor"},
      {[](Program& p) { p.device_arena_bytes = 128; }, "lies outside its memory"}};
  for (size_t i = 0; i < faults.size(); ++i) {
    Program program = device_program();
    faults[i].first(program);
    const auto parsed = parse_program(to_json(program));
    ASSERT_FALSE(parsed) << "fault " << i;
    EXPECT_THAT(to_text(parsed.error()), HasSubstr(faults[i].second)) << "fault " << i;
  }
  Json json = to_json(device_program());
  json["steps"][0]["copy"] = "sideways";
  EXPECT_THAT(to_text(parse_program(json).error()), HasSubstr("to_device, to_host"));
  json = to_json(device_program());
  json["slots"][1]["scope"] = "moon";
  EXPECT_THAT(to_text(parse_program(json).error()), HasSubstr("\"moon\""));
}

TEST(Program, MayBeEmpty) {
  const auto again = parse_program(to_json(Program{}));
  ASSERT_TRUE(again) << to_text(again.error());
  EXPECT_EQ(*again, Program{});
}

/// Something that makes a program's JSON invalid, and a part of what is said about it.
struct Damage {
  const char* name;
  std::function<void(Json&)> apply;
  const char* message;
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class DamagedProgram : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedProgram, IsRefused) {
  Json json = to_json(small_program());
  GetParam().apply(json);
  const auto parsed = parse_program(json);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(parsed.error()), HasSubstr(GetParam().message));
}

std::vector<Damage> damages() {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  return {
      {"OtherSchema", [](Json& j) { j["schema"] = "opbench.program/4"; }, "opbench.program/4"},
      {"NoSchema", [](Json& j) { j.erase("schema"); }, "schema"},
      {"NoArena", [](Json& j) { j.erase("arena_bytes"); }, "arena_bytes"},
      {"TextForANumber", [](Json& j) { j["weight_bytes"] = "many"; }, "not valid"},
      {"NoList", [](Json& j) { j["steps"] = 7; }, "not valid"},
      {"NoObject", [](Json& j) { j = Json::array({1}); }, "not valid"},
      {"SlotWithoutOffset", [](Json& j) { j["slots"][0].erase("offset"); }, "offset"},
      {"UnknownType", [](Json& j) { j["slots"][0]["data_type"] = "float31"; }, "float31"},
      {"UnknownStorage", [](Json& j) { j["slots"][0]["storage"] = "attic"; }, "\"attic\""},
      {"StepWithoutResult", [](Json& j) { j["steps"][1].erase("results"); }, "result"},
      {"ArgumentOutside",
       [](Json& j) {
         j["steps"][0]["arguments"] = {0, 4};
       },
       "outside"},
      {"NegativeResult", [](Json& j) { j["steps"][0]["results"] = {-1}; }, "outside"},
      {"InputOutside", [](Json& j) { j["inputs"] = {4}; }, "outside"},
      {"OutputOutside", [](Json& j) { j["outputs"] = {-1}; }, "outside"},
      {"SlotPastTheArena", [](Json& j) { j["slots"][3]["offset"] = 192; }, "\"y\""},
      {"SlotBeforeTheArena", [](Json& j) { j["slots"][3]["offset"] = -64; }, "\"y\""},
      {"SlotPastTheWeights", [](Json& j) { j["slots"][1]["offset"] = 108; }, "\"w\""},
      {"OffsetThatOverflows", [=](Json& j) { j["slots"][3]["offset"] = kHuge; }, "\"y\""},
      {"SizeThatOverflows", [=](Json& j) { j["slots"][1]["bytes"] = kHuge; }, "\"w\""},
      {"SlotTooSmall", [](Json& j) { j["slots"][3]["bytes"] = 20; }, "\"y\""},
      {"OtherPhysicalShape",
       [](Json& j) {
         j["slots"][3]["physical"] = {2, 3};
       },
       "\"y\""},
      {"BlockedVector",
       [](Json& j) {
         j["slots"][1]["storage"] = "arena";
         j["slots"][1]["block"] = 8;
       },
       "\"w\""},
      {"WaitsForALaterStep", [](Json& j) { j["steps"][0]["needs"] = {1}; }, "step 0 waits"},
      {"WaitsForItself", [](Json& j) { j["steps"][1]["reuses"] = {1}; }, "step 1 waits"},
      {"MissingWait", [](Json& j) { j["steps"][1]["needs"] = Json::array(); },
       "step 1 does not wait for step 0"},
      {"NegativeBlock", [](Json& j) { j["slots"][3]["block"] = -8; }, "\"y\""},
      {"NegativeExtent",
       [](Json& j) {
         j["slots"][3]["shape"] = {-1, -6};
       },
       "\"y\""},
  };
}

INSTANTIATE_TEST_SUITE_P(All, DamagedProgram, ::testing::ValuesIn(damages()),
                         [](const auto& damage) { return std::string(damage.param.name); });

}  // namespace
}  // namespace opbench
