#include "experiments/analysis/correlation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "base/numbers/random.h"
#include "experiments/analysis/correlation_source.h"
#include "written_file.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

FactorVerdict verdict_of(const TaskCorrelation& task, const std::string& factor) {
  for (const FactorCorrelation& each : task.table.factors) {
    if (each.factor == factor) return each.verdict;
  }
  ADD_FAILURE() << "no factor " << factor;
  return FactorVerdict::kTooFew;
}

/// Trials of workloads whose sizes differ a thousandfold; `tile` acts alike in all of them.
std::vector<TrialRows> made_trials(size_t workloads, size_t each) {
  Random random(2);
  TrialCollector table;
  for (size_t w = 0; w < workloads; ++w) {
    for (size_t i = 0; i < each; ++i) {
      const auto tile = static_cast<int64_t>(1 + random.below(32));
      const Json split = {-1, tile}, unroll = random.below(2) == 1,
                 order = random.below(2) == 1 ? Json("nchw") : Json("nhwc");
      const double time = std::pow(1000.0, static_cast<double>(w)) / static_cast<double>(tile) *
                          std::exp(0.1 * random.normal());
      table.add("conv", "llvm", std::to_string(w),
                {{"tile", "sp", &split}, {"unroll", "ot", &unroll}, {"order", "ot", &order}},
                tile == 32 ? kFailed : time);
    }
  }
  return table.take();
}

TEST(TrialCollector, MakesFactorsOfKnobs) {
  TrialCollector table;
  const Json two = {-1, 4}, three = {-1, 2, 8}, word = "vec", number = 16, list = {"a", "b"};
  table.add("t", "llvm", "w", {{"x", "sp", &two}, {"y", "sp", &three}}, 1.0);
  table.add("t", "llvm", "w", {{"x", "sp", &two}, {"ann", "an", &list}, {"n", "ot", &number}}, 2.0);
  table.add("t", "llvm", "v", {{"ann", "an", &word}}, kFailed);
  const std::vector<TrialRows> tasks = table.take();
  ASSERT_EQ(tasks.size(), 1U);
  std::vector<std::string> names;
  for (const Factor& factor : tasks[0].factors) names.push_back(factor.name);
  EXPECT_THAT(names, ElementsAre("x", "y.1", "y.2", "ann", "n"));
  EXPECT_EQ(tasks[0].factors[0].values[1], 4);
  EXPECT_TRUE(std::isnan(tasks[0].factors[1].values[1]));
  EXPECT_THAT(tasks[0].factors[3].words, ElementsAre(R"(["a","b"])", "vec"));
  EXPECT_EQ(tasks[0].failed, 1U);
  EXPECT_THAT(tasks[0].workloads, ElementsAre(0, 0, 1));
}

TEST(CorrelateTrials, ComparesTimesWithinAWorkload) {
  const std::vector<TrialRows> tasks = made_trials(3, 80);
  const TaskCorrelation task = correlate_trials(tasks.front(), {});
  EXPECT_EQ(task.workloads, 3U);
  EXPECT_GT(task.failed, 0U);
  EXPECT_EQ(task.rows + task.failed, 240U);
  EXPECT_EQ(verdict_of(task, "tile"), FactorVerdict::kMonotone);
  EXPECT_EQ(verdict_of(task, "unroll"), FactorVerdict::kIndependent);
  EXPECT_EQ(verdict_of(task, "order"), FactorVerdict::kIndependent);
  const TaskCorrelation across = correlate_trials(tasks.front(), {.is_across = true});
  EXPECT_LT(across.table.factors[0].shape.share, 0.5);
}

TEST(CorrelateTrials, AsksWhatFailuresDependOn) {
  const TaskCorrelation task =
      correlate_trials(made_trials(2, 200).front(), {.of = CorrelationOf::kFailure});
  EXPECT_EQ(task.rows, 400U);
  EXPECT_NE(verdict_of(task, "tile"), FactorVerdict::kIndependent);
  EXPECT_EQ(verdict_of(task, "unroll"), FactorVerdict::kIndependent);
}

TEST(CorrelateTrials, SaysWhyThereIsNothingToSay) {
  const TaskCorrelation spread = correlate_trials(made_trials(30, 2).front(), {});
  EXPECT_THAT(spread.failure, HasSubstr("no workload has 8 trials"));
  TrialCollector table;
  const Json value = 1;
  for (int i = 0; i < 9; ++i) table.add("t", "llvm", "w", {{"x", "ot", &value}}, kFailed);
  EXPECT_THAT(correlate_trials(table.take().front(), {}).failure, HasSubstr("all 9 trials failed"));
}

TEST(CorrelationReport, TakesASweep) {
  std::string text = "threads batch time\n";
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(1 + i % 8) + " 4 " + std::to_string(80.0 / (1 + i % 8)) + "\n";
  }
  const WrittenFile file(text);
  const CorrelationReport report = correlation_report({file.path()}, {}, {}).value();
  EXPECT_EQ(verdict_of(report.tasks.front(), "threads"), FactorVerdict::kMonotone);
  EXPECT_EQ(verdict_of(report.tasks.front(), "batch"), FactorVerdict::kNotVaried);
  EXPECT_THAT(correlation_report({file.path()}, {.task = "conv"}, {}).error().message,
              HasSubstr("is a sweep, which has no tasks"));
}

TEST(CorrelationReport, TakesTheJsonOfASweepOnOneLineOrMany) {
  Json points = Json::array();
  for (int i = 0; i < 40; ++i) {
    const double threads = 1 + i % 8;
    points.push_back({{"values", {{"threads", threads}}}, {"time_ms", {{"median", 8 / threads}}}});
  }
  const Json sweep = {{"schema", "opbench.sweep/1"},
                      {"over", {{{"key", "threads"}}}},
                      {"points", std::move(points)}};
  for (const int indent : {-1, 2}) {
    const WrittenFile file("\n" + sweep.dump(indent) + "\n");
    const auto report = correlation_report({file.path()}, {}, {});
    ASSERT_TRUE(report) << to_text(report.error());
    EXPECT_EQ(verdict_of(report->tasks.front(), "threads"), FactorVerdict::kMonotone);
  }
}

TEST(CorrelationReport, TellsALogFromASweep) {
  for (const char* text :
       {"{\"points\": 1, \"cut", "{}\n{\"points\": []}\n", "[1]\n", "one line", "# binary\n\x01"}) {
    const WrittenFile file(text);
    const auto report = correlation_report({file.path()}, {.task = "conv"}, {});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().message.find("is a sweep"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace opbench
