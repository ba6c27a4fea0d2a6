#include "planning/serve/serving_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_serving.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TEST(FiguresOf, CountsLateAndDroppedQueries) {
  const ServingSystem system{
      .workers = 2,
      .teams = {1, 2},
      .models = {{"a", {{.times_ms = {4, 2}}}}, {"b", {{.times_ms = {2, 1}}}}}};
  const std::vector<Query> queries = {
      {0, 0, 0, 10, {1}}, {1, 0, 0, 10, {1}}, {2, 1, 5, 10, {1}}, {3, 1, 5, 10, {1}}};
  const ServingRun run{.outcomes = {{.end_ms = 4}, {.end_ms = 11}, {.end_ms = 10}, {0, true}},
                       .end_ms = 20,
                       .busy_worker_ms = 10};
  const ServingFigures figures = figures_of(system, queries, run);
  EXPECT_DOUBLE_EQ(figures.violations, 0.5);
  EXPECT_DOUBLE_EQ(figures.worst_violations, 0.5);
  EXPECT_DOUBLE_EQ(figures.dropped, 0.25);
  EXPECT_DOUBLE_EQ(figures.goodput_per_s, 100);
  EXPECT_DOUBLE_EQ(figures.work_in_time, 0.5);
  EXPECT_DOUBLE_EQ(figures.median_ms, 5);
  EXPECT_DOUBLE_EQ(figures.utilisation, 0.25);
}

TEST(MeanOverSeeds, HasStudentsInterval) {
  const Interval all{-10, 10};
  const SeedMean mean = mean_over_seeds(std::vector<double>{1, 2, 3, 4}, all);
  EXPECT_DOUBLE_EQ(mean.value, 2.5);
  EXPECT_NEAR(mean.interval.high - 2.5, 3.1824 * 1.29099 / 2, 1e-3);
  EXPECT_TRUE(mean.excludes(0));
  EXPECT_FALSE(mean.excludes(2));
  const SeedMean one = mean_over_seeds(std::vector<double>{3}, all);
  EXPECT_FALSE(one.has_interval);
  EXPECT_FALSE(one.excludes(0));
}

TEST(MeanOverSeeds, StaysWhereTheFigureCanLie) {
  PolicyResult result;
  result.by_seed.resize(2);
  result.by_seed[0] = {.violations = 0.6, .utilisation = 0.9};
  result.by_seed[1] = {.violations = 1, .utilisation = 1};
  result.by_seed[0].p99_ms = 1;
  result.by_seed[1].p99_ms = 9;
  EXPECT_EQ(result.mean(&ServingFigures::violations).interval.high, 1);
  EXPECT_EQ(result.mean(&ServingFigures::utilisation).interval.high, 1);
  EXPECT_EQ(result.mean(&ServingFigures::p99_ms).interval.low, 0);
  EXPECT_GT(result.mean(&ServingFigures::p99_ms).interval.high, 9);
}

TEST(StudyServing, ServesTheControlTwice) {
  const ServingSystem system = random_serving({.segments = 2}, 5);
  StudyOptions options{.loads = {0.9},
                       .policies = {"edf", "slack"},
                       .seeds = 3,
                       .queries = {.count = 40, .noise = 0.05}};
  const ServingStudy without = study_serving(system, options).value();
  EXPECT_FALSE(without.loads[0].control);
  options.control = "slack drop";
  int served = 0;
  options.serve = [&](const std::vector<Query>& queries, const PolicyDef& policy,
                      const PolicyVariant& variant) {
    ++served;
    return simulate_serving(system, queries, policy, variant, options.serving);
  };
  const ServingStudy with = study_serving(system, options).value();
  const LoadResult& load = with.loads[0];
  EXPECT_EQ(load.results.size(), without.loads[0].results.size());
  EXPECT_EQ(served, 3 * static_cast<int>(load.results.size() + 1));
  ASSERT_TRUE(load.control);
  EXPECT_EQ(load.control->name, "slack drop");
  EXPECT_EQ(load.control->violations.value, 0) << "a simulation repeats itself";
}

TEST(StudyServing, EndsWhenItIsToldToStop) {
  const ServingSystem system = random_serving({.segments = 2}, 5);
  int asked = 0;
  const auto study = study_serving(
      system, {.loads = {0.7}, .seeds = 5, .queries = {.count = 10}, .should_stop = [&] {
                 return ++asked == 2;
               }});
  ASSERT_FALSE(study);
  EXPECT_EQ(study.error().code, ErrorCode::kInterrupted);
}

TEST(StudyServing, PairsPoliciesOnEqualQueriesAndNamesTheWinner) {
  const ServingSystem system = random_serving({.segments = 4}, 5);
  const StudyOptions options{
      .loads = {0.7, 1}, .seeds = 4, .queries = {.count = 200, .noise = 0.05}};
  const auto study = study_serving(system, options);
  ASSERT_TRUE(study);
  ASSERT_EQ(study->loads.size(), 2u);
  for (const LoadResult& load : study->loads) {
    EXPECT_EQ(load.results.size(), 16u);
    const double fewest = load.results[load.winner].mean(&ServingFigures::violations).value;
    double fewest_of_baselines = 1;
    for (const PolicyResult& one : load.results) {
      EXPECT_EQ(one.by_seed.size(), 4u);
      const double violations = one.mean(&ServingFigures::violations).value;
      EXPECT_GE(violations, fewest);
      if (one.is_baseline) fewest_of_baselines = std::min(fewest_of_baselines, violations);
    }
    ASSERT_TRUE(load.comparison);
    const PolicyResult& ours = load.results[load.comparison->first];
    const PolicyResult& baseline = load.results[load.comparison->second];
    EXPECT_EQ(ours.policy, kOurPolicy);
    EXPECT_TRUE(baseline.is_baseline);
    EXPECT_EQ(baseline.mean(&ServingFigures::violations).value, fewest_of_baselines);
    EXPECT_NEAR(load.comparison->violations.value,
                ours.mean(&ServingFigures::violations).value - fewest_of_baselines, 1e-12);
  }
  EXPECT_EQ(study->loads[0].results[3].by_seed,
            study_serving(system, options)->loads[0].results[3].by_seed);
}

TEST(StudyServing, ComparesTheWinnerWithoutOurs) {
  const ServingSystem system = random_serving({}, 5);
  const auto study =
      study_serving(system, {.policies = {"fcfs", "edf"}, .seeds = 2, .queries = {.count = 50}});
  ASSERT_TRUE(study);
  const LoadResult& load = study->loads[0];
  ASSERT_TRUE(load.comparison);
  EXPECT_EQ(load.comparison->first, load.winner);
  EXPECT_NE(load.results[load.comparison->second].policy, load.results[load.winner].policy);
  const auto alone =
      study_serving(system, {.policies = {"edf"}, .seeds = 1, .queries = {.count = 9}});
  EXPECT_FALSE(alone->loads[0].comparison);
}

TEST(StudyServing, RefusesWhatCannotBe) {
  const ServingSystem system = random_serving({}, 5);
  EXPECT_THAT(study_serving(system, {.policies = {"edff"}}).error().message,
              HasSubstr("unknown policy \"edff\""));
  EXPECT_THAT(study_serving(system, {.loads = {0}}).error().message, HasSubstr("load 0"));
  EXPECT_FALSE(study_serving(system, {.seeds = 0}));
  EXPECT_FALSE(study_serving(system, {.queries = {.count = 0}}));
}

}  // namespace
}  // namespace opbench
