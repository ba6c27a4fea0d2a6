#include "planning/plans/plan_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace opbench {
namespace {

using ::testing::HasSubstr;

PlanFile diamond_file() {
  PlanFile file{.model = "m",
                .source = "zoo",
                .sha256 = "ab",
                .target = "llvm",
                .kernels = "cd",
                .cpus = {0, 1},
                .times = "measured in the model",
                .transfers = "a byte 0.05 ns, modelled",
                .predicted_ms = 6,
                .sequential_ms = 8,
                .ceiling = 1.5,
                .ceiling_by_pieces = 1.25,
                .reason = "because"};
  file.timed.times.teams = {1, 2};
  file.timed.add({.name = "a", .kind = "k"}, {.times_ms = {2, 1}, .spread = 0.1});
  file.timed.add({.name = "b", .kind = "k", .needs = {{0}}}, {.times_ms = {4, 3}}, {{0.5}});
  file.timed.add({.name = "c", .kind = "k", .needs = {{0}}}, {.times_ms = {4, 3}});
  file.timed.add({.name = "d", .kind = "k", .needs = {{1}, {2}}}, {.times_ms = {2, 1}});
  for (const char* text : {"relu 4", "relu 8", "w2", "identity 8"}) {
    file.facts.push_back(identity_from({.workload = text}));
  }
  for (const size_t i : {0, 1, 2}) file.facts[i].nodes = {"n" + std::to_string(i)};
  file.plan = {.planner = "dp",
               .workers = 2,
               .steps = {{{0}, {0, 1}, {}}, {{1}, {0}, {}}, {{2}, {1}, {}}, {{3}, {0, 1}, {2}}}};
  return file;
}

std::string plan_file_fault_of(const std::function<void(Json&)>& change) {
  Json json = to_json(diamond_file());
  change(json);
  const Result<PlanFile> file = parse_plan_file(json.dump(), "p.json");
  return file ? std::string() : file.error().message;
}

TEST(PlanFile, ReadsWhatItWrites) {
  const Result<PlanFile> file = parse_plan_file(to_json(diamond_file()).dump(), "p.json");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(to_json(*file).dump(), to_json(diamond_file()).dump());
  EXPECT_EQ(file->timed, diamond_file().timed);
  EXPECT_EQ(file->facts, diamond_file().facts);
  EXPECT_EQ(file->transfers, "a byte 0.05 ns, modelled");
}

TEST(PlanFile, KnowsWhatEdgesCostButNotTheirBytes) {
  PlanFile file = diamond_file();
  file.timed.graph.units[1].needs[0].bytes = 64;
  file.timed.costs[1][0].transfer_ms = 0.25;
  const Json json = to_json(file);
  EXPECT_EQ(json["units"][1]["needs"].dump(),
            R"([{"unit":0,"handoff_ms":0.5,"transfer_ms":0.25}])");
  const PlanFile read = parse_plan_file(json.dump(), "p.json").value();
  EXPECT_EQ(read.timed.costs, file.timed.costs);
  EXPECT_EQ(read.timed.graph.units[1].needs[0].bytes, std::nullopt);
}

TEST(PlanFile, KeepsTheKernelsThatItTakes) {
  PlanFile file = diamond_file();
  file.choices = R"([{"workload":"relu 4"}])";
  const Json json = to_json(file);
  EXPECT_EQ(json["kernel_choices"][0]["workload"], "relu 4");
  EXPECT_EQ(parse_plan_file(json.dump(), "p.json").value().choices, file.choices);
  EXPECT_FALSE(to_json(diamond_file()).contains("kernel_choices"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["kernel_choices"] = 3; }), HasSubstr("no list"));
}

TEST(PlanFile, KeepsWhatWasMeasured) {
  PlanFile file = diamond_file();
  file.measured = MeasuredSpeedup{.speedup = 1.05,
                                  .low = 1.04,
                                  .high = 1.06,
                                  .sequential_ms = 8,
                                  .verdict = "inconclusive",
                                  .reason = "below what can be told from chance"};
  Json json = to_json(file);
  EXPECT_EQ(parse_plan_file(json.dump(), "p.json").value().measured, file.measured);
  json["measured"].erase("reason");  // as in older files
  file.measured->reason.clear();
  EXPECT_EQ(parse_plan_file(json.dump(), "p.json").value().measured, file.measured);
}

TEST(PlanFile, KeepsWhichUnitsReadTheSameWeights) {
  PlanFile file = diamond_file();
  for (const size_t unit : {1U, 2U}) {
    file.timed.graph.units[unit].weights = 0;
    file.timed.times.units[unit].reuse_ms = 0.25;
  }
  const Json json = to_json(file);
  EXPECT_EQ(parse_plan_file(json.dump(), "p.json").value().timed, file.timed);
  EXPECT_EQ(json["units"][2]["reuse_ms"], 0.25);
  EXPECT_FALSE(json["units"][0].contains("weights"));
  const auto saves = [](double ms) {
    return plan_file_fault_of([&](Json& j) {
      j["units"][1]["weights"] = 0;
      j["units"][1]["reuse_ms"] = ms;
    });
  };
  EXPECT_THAT(saves(4), HasSubstr("unit 1 \"b\" saves a time below 0, or more than it takes"));
  EXPECT_THAT(saves(-1), HasSubstr("below 0"));
}

TEST(PlanFile, HasAProgramForEachWorker) {
  const Json json = to_json(diamond_file());
  EXPECT_EQ(json["workers"][1]["cpu"], 1);
  EXPECT_EQ(json["workers"][1]["program"].dump(),
            R"([{"units":[0],"team":[0,1]},{"units":[2],"team":[1],"waits":[]},)"
            R"({"units":[3],"team":[0,1]}])");
  EXPECT_EQ(json["workers"][0]["program"][2]["waits"].dump(), "[2]");
}

TEST(PlanFile, SaysWhatIsWrong) {
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["schema"] = "opbench.profile/1"; }),
              HasSubstr("holds opbench.profile/1, not a plan"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j = Json::array(); }), HasSubstr("is no plan"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j.erase("cpus"); }), HasSubstr("has no \"cpus\""));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["threads"] = "2"; }),
              HasSubstr("of another type"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["threads"] = 3; }),
              HasSubstr("has 2 workers and 2 CPUs"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) {
                j["units"][0]["needs"] = {{{"unit", 3}, {"handoff_ms", 0}}};
              }),
              HasSubstr("needs unit 3, which does not come before it"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["workers"][0]["program"][1]["units"] = {9}; }),
              HasSubstr("unit 9"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["workers"][0]["program"][1]["waits"] = {3}; }),
              HasSubstr("lead in a circle"));
  EXPECT_THAT(
      plan_file_fault_of([](Json& j) { j["workers"][0]["program"][2]["waits"] = Json::array(); }),
      HasSubstr("may start before unit 2"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["workers"][1]["program"].erase(2); }),
              HasSubstr("waits for ever for its team at unit 3"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) {
                j["workers"][1]["program"][0]["team"] = {1, 0};
              }),
              HasSubstr("do not agree on the team of unit 0"));
  EXPECT_THAT(plan_file_fault_of([](Json& j) { j["workers"][0]["program"][1]["team"] = {7}; }),
              HasSubstr("waits for ever"));
}

}  // namespace
}  // namespace opbench
