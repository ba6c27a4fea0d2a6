#include "experiments/findings/proposal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// A profile of a model of two units, and what findings look at.
struct Profile {
  ProfileRequest request;
  ProfileResult result;
  EngineRun run;
  RunFacts facts;

  Profile() {
    request.notes.argv = {"/bin/opbench", "profile", "m.onnx", "--findings", "-o", "out.json"};
    result.model = "m";
    result.engines.emplace_back();
    EngineResult& engine = result.engines.back();
    engine.engine = "halide";
    engine.model.end_to_end = Measurement{.median_ms = 10};
    engine.units.resize(2);
    engine.units[0] = {.total_ms = 8, .share = 0.8};
    engine.units[1] = {.total_ms = 2, .share = 0.2};
    run.asked.definition.takes_packages = true;
  }

  FindingInput input() const {
    FindingInput input{
        .request = request, .result = result, .run = run, .engine = result.engines[0], .units = {}};
    for (const UnitResult& row : result.engines[0].units) {
      input.units.push_back({.row = &row, .facts = nullptr, .why = {}});
    }
    return input;
  }
};

std::vector<Proposal> proposals(const std::string& source, const FindingInput& input) {
  return (*proposal_table().find(source))->look(input);
}

TEST(Findings, HaveIntervalsNoWiderThanTheGainOrTwoPoints) {
  for (const double percent : {0.2, 1.0, 1.5, 2.0, 5.0, 40.0}) {
    for (const double relative : {0.0, 0.1, 0.5, 2.0}) {
      Finding finding;
      expect(finding, percent, relative);
      EXPECT_LE(finding.gain_high_pct - finding.gain_low_pct, std::max(percent, 2.0) + 1e-9);
      EXPECT_GT(finding.gain_high_pct, finding.gain_low_pct);
      EXPECT_NEAR(finding.expected_pct(), percent, 1e-9);
    }
  }
}

TEST(Findings, EndAtAllOfTheTime) {
  Finding finding;
  expect(finding, 90, 0.3);
  EXPECT_EQ(finding.gain_high_pct, 100);
}

TEST(Findings, NameTheCommandThatTriesThem) {
  Profile profile;
  EXPECT_EQ(command_with(profile.request, "--threads", "2"), "opbench profile m.onnx --threads 2");
  profile.request.notes.argv = {"opbench", "profile", "m.onnx", "--target=llvm", "--try"};
  EXPECT_EQ(command_with(profile.request, "--target", "host"),
            "opbench profile m.onnx --target host");
  EXPECT_EQ(command_with(profile.request, "--target", ""), "opbench profile m.onnx");
}

TEST(TargetFinding, AddsUpWhatNarrowVectorsCost) {
  Profile profile;
  FindingInput input = profile.input();
  input.units[0].why.causes = {{.name = "smaller ISA", .evidence = "256 of 512", .share = 0.5}};
  EXPECT_TRUE(proposals("target", input).empty());  // it is the host's target
  profile.request.settings.target = "llvm -mcpu=core-avx2";
  const auto found = proposals("target", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 40, 1e-9);
  EXPECT_EQ(found[0].trial.settings.target, "host");
}

TEST(EngineFinding, TakesTheFastestEngineBesideIt) {
  Profile profile;
  EXPECT_TRUE(proposals("engine", profile.input()).empty());
  EngineResult other;
  other.engine = "other";
  other.model.end_to_end = Measurement{.median_ms = 8};
  profile.result.engines.push_back(other);
  const auto found = proposals("engine", profile.input());
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 20, 1e-9);
  EXPECT_THAT(found[0].finding.evidence, HasSubstr("measured beside it"));
  EXPECT_EQ(found[0].trial.engines, std::vector<std::string>{"other"});
}

TEST(EngineFinding, TakesTheStoreWhereNoneWasMeasured) {
  Profile profile;
  FindingInput input = profile.input();
  input.stored_times = {{"halide", 1}, {"other", 9}};
  const auto found = proposals("engine", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 10, 1e-9);
  EXPECT_THAT(found[0].finding.evidence, HasSubstr("in the store"));
  input.stored_times = {{"other", 11}};
  EXPECT_TRUE(proposals("engine", input).empty());
}

TEST(ThreadsFinding, NeedsACpuThatIsFree) {
  Profile profile;
  FindingInput input = profile.input();
  UnitFacts facts;
  for (ExplainedUnit& unit : input.units) unit.facts = &facts;
  input.cpus = 1;
  EXPECT_TRUE(proposals("threads", input).empty());
  input.cpus = 2;
  const auto found = proposals("threads", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 50, 1);
  EXPECT_EQ(found[0].trial.threads, std::vector<int>{2});
}

// 4 MB of values, half of them written by the other thread, at 1 ns a byte: 2 of 10 ms.
TEST(ThreadsFinding, CountsWhatThreadsReadOfEachOther) {
  Profile profile;
  FindingInput input = profile.input();
  UnitFacts large, small;
  large.evidence.bytes = 5e6;
  large.evidence.kernel.emplace().work.weight_bytes = 1e6;
  input.units[0].facts = &large;
  input.units[1].facts = &small;
  input.cpus = 2;
  input.transfer_ns_per_byte = 1;
  const auto found = proposals("threads", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 30, 1);
}

TEST(FusionFinding, NeedsNodesThatRunApart) {
  Profile profile;
  UnitResult& relu = profile.result.engines[0].units[1];
  relu.identity = identity_from({.workload = "relu 1x64"});
  EXPECT_TRUE(proposals("fusion", profile.input()).empty());
  profile.request.settings.is_fused = false;
  const auto found = proposals("fusion", profile.input());
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 18, 1e-9);
}

TEST(DefaultKernelFinding, IsOfKernelsThatALogChose) {
  Profile profile;
  FindingInput input = profile.input();
  input.units[0].why.causes = {{.name = "spilled registers", .evidence = "9", .share = 0.25}};
  EXPECT_TRUE(proposals("default kernels", input).empty());
  profile.result.engines[0].units[0].identity.origin = "r18.log:4";
  const auto found = proposals("default kernels", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 20, 1e-9);
}

TEST(StoredKernelFinding, NeedsAConfigThatWasFaster) {
  Profile profile;
  UnitResult& row = profile.result.engines[0].units[0];
  row.identity = identity_from({.workload = "relu 1x64"});
  row.time = Measurement{.median_ms = 2};
  profile.result.engines[0].threads = 2;
  FindingInput input = profile.input();
  StoredKernel kernel{.choice = {.workload = "relu 1x64"}, .mean_ms = 1};
  kernel.choice.blocks = row.identity.blocks;
  input.stored_kernels = {kernel};
  const auto found = proposals("stored kernels", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 40, 1e-9);
  ASSERT_EQ(found[0].trial.settings.kernels.size(), 1);
  EXPECT_EQ(found[0].trial.settings.kernels[0].threads, input.engine.threads);
  EXPECT_EQ(found[0].finding.evidence, "1 row has a config in the store that was faster there");
  input.stored_kernels[0].mean_ms = 1.99;
  EXPECT_TRUE(proposals("stored kernels", input).empty());
}

TEST(LayoutsFinding, IsOfSingleWorkloads) {
  Profile profile;
  profile.result.engines[0].units[1].identity.operator_text = "layout";
  EXPECT_TRUE(proposals("layouts", profile.input()).empty());
  profile.result.workload = "relu 1x64";
  const auto found = proposals("layouts", profile.input());
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 20, 1e-9);
}

// Two branches of 3 ms between a unit before and one after them.
TEST(StreamsFinding, NeedsBranches) {
  Profile profile;
  std::vector<UnitResult>& rows = profile.result.engines[0].units;
  rows.resize(4);
  const auto unit = [&](size_t index, double ms, const std::string& reads,
                        const std::string& makes) {
    rows[index].occurrences = {{.nodes = {makes}, .in_place_ms = ms}};
    PreparedUnit prepared;
    prepared.identity.nodes = {makes};
    prepared.values = {.operands = {reads}, .output = makes, .further_outputs = {}};
    profile.run.built.units.push_back(prepared);
  };
  unit(0, 2, "x", "a");
  unit(1, 3, "a", "b");
  unit(2, 3, "a", "c");
  unit(3, 2, "b", "d");
  FindingInput input = profile.input();
  input.cpus = 2;
  const auto found = proposals("streams", input);
  ASSERT_EQ(found.size(), 1);
  EXPECT_NEAR(found[0].finding.expected_pct(), 24, 1e-9);
  profile.run.built.units[2].values.operands = {"b"};
  profile.run.built.units[3].values.operands = {"c"};
  EXPECT_TRUE(proposals("streams", input).empty());
}

}  // namespace
}  // namespace opbench
