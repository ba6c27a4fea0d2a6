#include "experiments/sessions/rows.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "prediction/costs/bound.h"
#include "prediction/costs/node_cost.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// 100 GFLOP/s; 64 KiB at 400 GB/s, all else at 10 GB/s.
Ceilings ceilings() {
  Ceilings result;
  result.peak_one_thread = 100;
  result.peak_all_threads = 200;
  result.bandwidth = {{"L1", 32 << 10, 400, 800}, {"DRAM", 512 << 20, 10, 15}};
  return result;
}

UnitResult unit(double time_ms, std::optional<double> flops, std::optional<double> bytes) {
  UnitResult row;
  row.in_place_ms = time_ms;
  row.flops = flops;
  row.bytes = bytes;
  return row;
}

UnitResult alone(double time_ms, std::optional<double> flops, std::optional<double> bytes) {
  UnitResult row = unit(time_ms, flops, bytes);
  row.time.emplace().median_ms = time_ms;
  return row;
}

UnitResult rated(UnitResult row, double floor_ms = 0.001, int threads = 1, double fetched = 0) {
  EngineResult engine;
  engine.threads = threads;
  engine.call_floor_ms = floor_ms;
  rate_unit(row, engine, ceilings(), fetched);
  return row;
}

TEST(RateUnit, NamesWhatTakesLonger) {
  const UnitResult compute = rated(unit(1, 50e6, 1e6));
  EXPECT_EQ(compute.bound, "compute");
  EXPECT_DOUBLE_EQ(*compute.gflops_per_s, 50);
  EXPECT_DOUBLE_EQ(*compute.percent_of_peak, 50);
  EXPECT_DOUBLE_EQ(*compute.gbytes_per_s, 1);
  EXPECT_EQ(rated(unit(1, 50e6, 8e6)).bound, "DRAM");
  EXPECT_EQ(rated(unit(1, 1e3, 60e3)).bound, "L1") << "a level holds twice what it was read with";
  EXPECT_EQ(rated(unit(1, 1e3, 70e3)).bound, "DRAM");
  EXPECT_EQ(rated(unit(1, 0, 1e6)).bound, "DRAM");
}

TEST(RateUnit, KnowsNoCeilingsOfDevices) {
  EngineResult engine;
  engine.device = {{"kind", "opencl"}};
  UnitResult row = unit(1, 50e6, 1e6);
  rate_unit(row, engine, ceilings());
  EXPECT_DOUBLE_EQ(*row.gflops_per_s, 50);
  EXPECT_DOUBLE_EQ(*row.gbytes_per_s, 1);
  EXPECT_FALSE(row.percent_of_peak);
  EXPECT_EQ(row.bound, "");
  EXPECT_EQ(row.no_bound_reason, kNoDeviceCeilings);
}

TEST(RateUnit, TakesColdBytesFromMemory) {
  EXPECT_EQ(rated(alone(1, 1e3, 60e3)).bound, "L1");
  EXPECT_EQ(rated(alone(1, 1e3, 60e3), 0.001, 1, 50e3).bound, "DRAM");
  EXPECT_EQ(rated(alone(1, 1e3, 60e3), 0.001, 1, 1e3).bound, "L1") << "the rest takes longer";
  EXPECT_EQ(rated(alone(1, 50e6, 60e3), 0.001, 1, 50e3).bound, "compute");
}

TEST(RateUnit, TakesTheCeilingsOfItsThreads) {
  EXPECT_DOUBLE_EQ(*rated(unit(1, 50e6, 1e3), 0.001, 2).percent_of_peak, 25);
}

TEST(RateUnit, CallsShortTimesOverhead) {
  EXPECT_EQ(rated(alone(0.9, 50e6, 1e3), 0.05).bound, "overhead") << "below 20 call overheads";
  EXPECT_EQ(rated(alone(1.1, 50e6, 1e3), 0.05).bound, "compute");
  EXPECT_EQ(rated(unit(0.9, 50e6, 1e3), 0.05).bound, "compute") << "no call is in it";
  EXPECT_EQ(rated(unit(0.04, 1e5, 1e3)).bound, "overhead") << "1 us would do";
  EXPECT_EQ(rated(unit(0.06, 1e5, 1e3)).bound, "compute") << "not shorter than 50 us";
}

TEST(RateUnit, SaysNothingOfWhatItDoesNotKnow) {
  EXPECT_EQ(rated(unit(0.04, {}, {})).bound, "") << "no roofline to be far from";
  EXPECT_EQ(rated(unit(0, 1e6, 1e6)).bound, "");
  EXPECT_FALSE(rated(unit(0, 1e6, 1e6)).gflops_per_s);
  EXPECT_EQ(rated(unit(1, {}, 1e6)).bound, "DRAM");
}

/// A engine run of relu, relu, neg in two groups.
EngineRun small_run() {
  EngineRun engine_run;
  engine_run.found.result.engine = "halide";
  for (const std::string word : {"relu", "neg", "relu"}) {
    PreparedUnit prepared;
    prepared.id = static_cast<int>(engine_run.built.units.size());
    prepared.identity.operator_text = word;
    prepared.identity.nodes = {word + std::to_string(prepared.id)};
    prepared.identity.workload = *parse_workload(word + " 1x64");
    prepared.identity.schedule = "elementwise";
    engine_run.built.units.push_back(std::move(prepared));
  }
  engine_run.built.groups = {{.members = {0, 2}, .item = 1}, {.members = {1}, .item = 0}};
  return engine_run;
}

SamplingResult samples(double first_ms, double second_ms) {
  SamplingResult result;
  for (const double ms : {first_ms, second_ms}) {
    Measurement measurement;
    measurement.median_ms = ms;
    result.items.push_back({measurement, {}});
  }
  return result;
}

TEST(FillRows, MergesEqualUnitsAndOrdersRowsByTotal) {
  EngineRun engine_run = small_run();
  fill_rows(engine_run, samples(9, 2), {1e-3, 2e-3, 3e-3}, ceilings());
  ASSERT_EQ(engine_run.found.result.units.size(), 2);
  const UnitResult& relu = engine_run.found.result.units[0];
  EXPECT_EQ(relu.identity.operator_text, "relu");
  EXPECT_EQ(relu.count, 2);
  EXPECT_THAT(relu.identity.nodes, ElementsAre("relu0", "relu2"));
  EXPECT_DOUBLE_EQ(relu.total_ms, 4);
  EXPECT_DOUBLE_EQ(*relu.in_place_ms, 2);
  EXPECT_DOUBLE_EQ(relu.time->median_ms, 2);
  EXPECT_NEAR(relu.share, 4.0 / 6, 1e-12);
  EXPECT_NEAR(engine_run.found.result.units[1].share, 2.0 / 6, 1e-12);
  EXPECT_THAT(relu.reproducer, HasSubstr("opbench op 'relu 1x64' --engine halide --threads 1"));
}

TEST(FillRows, CountsWeightsThatUnitsShareOnce) {
  EngineRun engine_run;
  engine_run.built.groups = {{.members = {}}};
  for (const char* weight : {"first", "second", "first"}) {
    PreparedUnit prepared;
    prepared.identity.operator_text = "matmul";
    prepared.identity.nodes = {"step"};
    prepared.identity.workload = *parse_workload("matmul 1x8 w:8x8");
    prepared.values.operands = {"x" + std::to_string(engine_run.built.units.size()), weight};
    engine_run.built.groups[0].members.push_back(engine_run.built.units.size());
    engine_run.built.units.push_back(std::move(prepared));
  }
  const UnitResult row = untimed_row(engine_run, engine_run.built.groups[0]);
  EXPECT_EQ(row.count, 3);
  EXPECT_EQ(row.weight_sets, 2);
  EXPECT_FALSE(untimed_row(small_run(), {.members = {0, 2}}).weight_sets);
}

TEST(FillRows, TakesTimesAloneWithoutTimesInPlace) {
  for (const std::vector<double>& in_place : {std::vector<double>(), std::vector<double>(2, 1.0)}) {
    EngineRun engine_run = small_run();
    fill_rows(engine_run, samples(9, 2), in_place, ceilings());
    EXPECT_EQ(engine_run.found.result.units[0].identity.operator_text, "neg");
    EXPECT_DOUBLE_EQ(engine_run.found.result.units[0].total_ms, 9);
    EXPECT_DOUBLE_EQ(engine_run.found.result.units[1].total_ms, 4);
    EXPECT_FALSE(engine_run.found.result.units[1].in_place_ms);
  }
}

TEST(FillRows, MarksTimesThatAreTooShortToBeCold) {
  for (const double memory : {1e-3, 1e-6}) {
    EngineRun engine_run = small_run();
    engine_run.found.result.memory_gbytes_per_s = memory;
    engine_run.asked.cache = CacheMode::kColdAll;
    fill_rows(engine_run, samples(9, 0.1), {}, ceilings());
    EXPECT_EQ(engine_run.found.result.units[0].is_cold, memory > 1e-4) << "512 bytes in 9 ms";
    EXPECT_EQ(engine_run.found.result.units[1].is_cold, false) << "512 bytes in 0.1 ms";
    EXPECT_THAT(engine_run.built.warnings, ElementsAre(HasSubstr("not cold")));
  }
  EngineRun hot = small_run();
  hot.found.result.memory_gbytes_per_s = 1e-6;
  fill_rows(hot, samples(9, 0.1), {}, ceilings());
  EXPECT_FALSE(hot.found.result.units[0].is_cold);
  EXPECT_TRUE(hot.built.warnings.empty());
}

TEST(FillRows, GivesAFailedUnitNoTime) {
  EngineRun engine_run = small_run();
  engine_run.built.groups[0].failure = Failure{FailureKind::kWrongResult, "differs"};
  fill_rows(engine_run, samples(9, 2), {1e-3, 2e-3, 3e-3}, ceilings());
  const UnitResult& failed = engine_run.found.result.units[1];
  EXPECT_EQ(failed.identity.operator_text, "relu");
  EXPECT_FALSE(failed.time);
  EXPECT_EQ(failed.total_ms, 0);
  EXPECT_EQ(failed.bound, "");
  EXPECT_DOUBLE_EQ(engine_run.found.result.units[0].share, 1);
}

TEST(FillRows, SaysHowALayoutChanges) {
  EngineRun engine_run;
  PreparedUnit change;
  change.identity.operator_text = "layout";
  change.identity.workload = *parse_workload("identity 1x20x7x7");
  change.identity.blocks = {0, 16};
  change.has_own_blocks = false;
  engine_run.built.units = {change};
  engine_run.built.groups = {{.members = {0}}};
  fill_rows(engine_run, {}, {1e-3}, ceilings());
  EXPECT_EQ(short_shapes(engine_run.found.result.units[0].identity), "1x20x7x7 NCHW -> NCHW16c");
  EXPECT_THAT(engine_run.found.result.units[0].reproducer,
              HasSubstr("op 'identity 1x20x7x7' --layouts 0,16 --engine"));
  EXPECT_FALSE(engine_run.found.result.units[0].flops);
}

TEST(FillRows, AsksForTheLayoutsThatAWorkloadAloneWouldNotGet) {
  EngineRun engine_run;
  PreparedUnit add;
  add.identity.nodes = {"a"};
  add.identity.workload = *parse_workload("add 1x32x7x7 w:1x32x1x1; add 1x32x7x7");
  add.identity.blocks = {16, 0, 16, 16};
  engine_run.built.units = {add, add};
  engine_run.built.units[1].has_own_blocks = false;
  engine_run.built.groups = {{.members = {0}}, {.members = {1}}};
  fill_rows(engine_run, {}, {1e-3, 1e-3}, ceilings());
  for (const UnitResult& row : engine_run.found.result.units)
    EXPECT_THAT(layouts_of(row.identity), ElementsAre(16, 16, 16));
  EXPECT_THAT(engine_run.found.result.units[0].reproducer, Not(HasSubstr("--layouts")));
  EXPECT_THAT(engine_run.found.result.units[1].reproducer,
              HasSubstr("' --layouts 16,16,16 --engine"));
}

TEST(FillRowsOfEngine, MergesNodesOfOneKindAndShape) {
  EngineRun engine_run;
  const Json units = Json::parse(R"([
    {"operator": "Conv", "nodes": ["a"], "inputs": [{"shape": [1, 3]}], "outputs": [[1, 8]]},
    {"operator": "Relu", "nodes": ["r"]},
    {"operator": "Conv", "nodes": ["b"], "inputs": [{"shape": [1, 3]}], "outputs": [[1, 8]]}])");
  fill_rows_of_engine(engine_run, units, {1e-3, 5e-3, 2e-3}, ceilings(), Model{});
  ASSERT_EQ(engine_run.found.result.units.size(), 2);
  const UnitResult& conv = engine_run.found.result.units[1];
  EXPECT_EQ(short_shapes(conv.identity), "1x3 -> 1x8");
  EXPECT_EQ(conv.count, 2);
  EXPECT_THAT(conv.identity.nodes, ElementsAre("a", "b"));
  EXPECT_DOUBLE_EQ(conv.total_ms, 3);
}

/// y = relu(bn(dense(x))) and z = neg(y), x[1, 8], dense to 4.
Model small_model() {
  const auto workload =
      parse_workload("matmul 1x8 w:8x4; batch_norm w:4 w:4 w:4 w:4; relu; neg; flatten");
  EXPECT_TRUE(workload) << to_text(workload.error());
  Model model;
  model.opset = workload->opset;
  model.graph = workload->graph;
  for (size_t i = 0; i < model.graph.nodes.size(); ++i) {
    model.graph.nodes[i].name = "n" + std::to_string(i);
  }
  return model;
}

TEST(NodeCosts, AreThoseOfTheNodesThatAUnitStandsFor) {
  const Model model = small_model();
  const NodeCosts costs(model);
  const auto matmul = costs.of({"n0"});
  ASSERT_TRUE(matmul) << to_text(matmul.error());
  EXPECT_EQ(matmul->flops, 2 * 8 * 4);
  EXPECT_EQ(matmul->bytes, 4 * (8 + 32 + 4));
  const auto fused = costs.of({"n0", "n1", "n2"});
  EXPECT_EQ(fused->flops, 2 * 8 * 4 + 4) << "the normalisation is folded into the weights";
  EXPECT_EQ(fused->bytes, 4 * (8 + 32 + 4 * 4 + 4)) << "what is between the nodes stays inside";
  EXPECT_GT(costs.of({"n1"})->flops, 0);
}

TEST(NodeCosts, SayWhyTheyAreNotKnown) {
  Model model = small_model();
  model.graph.nodes[3].type = "Blur";
  model.graph.nodes[2].name = "n1";
  model.graph.types.erase("y");
  const NodeCosts costs(model);
  const auto why = [&](const std::vector<std::string>& names) {
    const auto cost = costs.of(names);
    return cost ? "known" : cost.error().message;
  };
  EXPECT_EQ(why({}), "it stands for no node of the model");
  EXPECT_EQ(why({"n0", "n7"}), "0 nodes are called \"n7\"");
  EXPECT_EQ(why({"n1"}), "2 nodes are called \"n1\"");
  EXPECT_EQ(why({"n3"}), "the FLOPs of operator \"Blur\" are not known");
  EXPECT_EQ(why({"n4"}), "the shapes of node \"n4\" are not known");
}

TEST(FillRowsOfEngine, TakesFlopsFromTheModelsNodes) {
  EngineRun engine_run;
  const Json units = Json::parse(R"([
    {"operator": "FusedMatMul", "nodes": ["n0", "n1", "n2"]},
    {"operator": "Reorder", "nodes": []},
    {"operator": "Some", "nodes": ["n2"]},
    {"operator": "Some", "nodes": ["n7"]}])");
  fill_rows_of_engine(engine_run, units, {4e-3, 3e-3, 1e-3, 1e-3}, ceilings(), small_model());
  ASSERT_EQ(engine_run.found.result.units.size(), 3);
  EXPECT_EQ(engine_run.found.result.units[0].flops, 68);
  EXPECT_DOUBLE_EQ(*engine_run.found.result.units[0].gflops_per_s, 68 / 4e-3 * 1e-9);
  EXPECT_FALSE(engine_run.found.result.units[1].flops);
  EXPECT_EQ(engine_run.found.result.units[1].no_flops_reason, "it stands for no node of the model");
  EXPECT_FALSE(engine_run.found.result.units[2].bytes) << "one of two is not known";
}

TEST(FillRowsOfEngine, BearsAnyReply) {
  EngineRun engine_run;
  const Json units = Json::parse(
      R"([7, {"operator": 3, "nodes": "n"}, {"inputs": [{"shape": [1, "n"]}, null, [2.5]]}, {}])");
  fill_rows_of_engine(engine_run, units, {1e-3, 1e-3, 1e-3}, ceilings(), Model{});
  ASSERT_EQ(engine_run.found.result.units.size(), 1);
  EXPECT_EQ(engine_run.found.result.units[0].count, 3);
}

}  // namespace
}  // namespace opbench
