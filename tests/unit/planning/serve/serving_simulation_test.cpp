#include "planning/serve/serving_simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_serving.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

const PolicyDef& serving_simulation_policy(const char* name) { return **policy_table().find(name); }

/// One segment a model: 4 ms on one worker, 3 ms on two.
ServingSystem two_models() {
  return {.workers = 2,
          .teams = {1, 2},
          .models = {{"a", {{.times_ms = {4, 3}}}}, {"b", {{.times_ms = {4, 3}}}}}};
}

std::vector<Query> serving_simulation_at(const std::vector<double>& arrivals) {
  std::vector<Query> queries;
  for (const double ms : arrivals) {
    const int id = static_cast<int>(queries.size());
    queries.push_back({id, queries.size() % 2, ms, ms + 100, {1.0}});
  }
  return queries;
}

ServingOptions exact() { return {.launch_ms = 0, .keeps_spans = true}; }

TEST(SimulateServing, RunsQueriesAfterEachOtherOnAllWorkers) {
  const auto run = simulate_serving(two_models(), serving_simulation_at({0, 1, 10}),
                                    serving_simulation_policy("fcfs"),
                                    serving_simulation_policy("fcfs").variants[0], exact());
  ASSERT_TRUE(run);
  EXPECT_DOUBLE_EQ(run->outcomes[0].end_ms, 3);
  EXPECT_DOUBLE_EQ(run->outcomes[1].end_ms, 6);
  EXPECT_DOUBLE_EQ(run->outcomes[2].end_ms, 13);
  EXPECT_DOUBLE_EQ(run->busy_worker_ms, 18);
  EXPECT_EQ(run->launches, 3);
}

TEST(SimulateServing, RunsQueriesSideBySideAtTheRateOfTheirSlowDown) {
  ServingOptions options = exact();
  options.slow_down = [](const SegmentPlace& own, std::span<const SegmentPlace>) {
    return own.model == 0 ? 2.0 : 1.0;
  };
  const auto run = simulate_serving(two_models(), serving_simulation_at({0, 1}),
                                    serving_simulation_policy("fcfs"),
                                    serving_simulation_policy("fcfs").variants[1], options);
  ASSERT_TRUE(run);
  // The first: 1 ms alone, 4 ms beside the second at half its rate, 1 ms alone.
  EXPECT_DOUBLE_EQ(run->outcomes[1].end_ms, 5);
  EXPECT_DOUBLE_EQ(run->outcomes[0].end_ms, 6);
}

TEST(SimulateServing, CountsALaunchAndTheNoiseOfASegment) {
  auto queries = serving_simulation_at({0});
  queries[0].factors = {1.5};
  ServingOptions options = exact();
  options.launch_ms = 0.25;
  const auto run = simulate_serving(two_models(), queries, serving_simulation_policy("edf"),
                                    serving_simulation_policy("edf").variants[0], options);
  EXPECT_DOUBLE_EQ(run->outcomes[0].end_ms, 4.75);
}

TEST(SimulateServing, KeepsTheRulesForEveryPolicyOnRandomSystems) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const int workers = 1 + static_cast<int>(seed % 4);
    const ServingSystem system =
        random_serving({.workers = workers, .models = 3, .segments = 4}, seed);
    const auto queries = make_queries(
        system,
        {.load = 0.5 + 0.1 * static_cast<double>(seed), .count = 60, .noise = 0.1, .seed = seed});
    ServingOptions options{.keeps_spans = true};
    if (seed % 2 == 1) {
      options.slow_down = [](const SegmentPlace& own, std::span<const SegmentPlace> others) {
        return 1 + 0.1 * static_cast<double>(others.size()) + 0.05 * static_cast<double>(own.model);
      };
      options.predicted = options.slow_down;
    }
    for (const PolicyDef& one : policy_table().all()) {
      for (const PolicyVariant& variant : one.variants) {
        const auto run = simulate_serving(system, queries, one, variant, options);
        ASSERT_TRUE(run) << one.name << " " << variant.name << ": " << to_text(run.error());
        const auto checked = check_run(system, queries, *run);
        EXPECT_TRUE(checked) << one.name << " " << variant.name << ": " << to_text(checked.error());
        for (size_t i = 0; i < queries.size(); ++i) {
          EXPECT_TRUE(variant.drops_lost || !run->outcomes[i].is_dropped);
        }
        EXPECT_EQ(*run, *simulate_serving(system, queries, one, variant, options));
      }
    }
  }
}

TEST(CheckRun, FindsWhatIsWrong) {
  const ServingSystem system = two_models();
  const auto queries = serving_simulation_at({0, 1});
  const auto right = simulate_serving(system, queries, serving_simulation_policy("fcfs"),
                                      serving_simulation_policy("fcfs").variants[1], exact());
  ASSERT_TRUE(right);
  ASSERT_TRUE(check_run(system, queries, *right));
  ServingRun run = *right;
  run.spans[1].worker = run.spans[0].worker;
  EXPECT_THAT(check_run(system, queries, run).error().message, HasSubstr("two things at once"));
  run = *right;
  run.spans[1].start_ms = 0.5;
  EXPECT_THAT(check_run(system, queries, run).error().message, HasSubstr("out of turn"));
  run = *right;
  run.spans.pop_back();
  EXPECT_THAT(check_run(system, queries, run).error().message, HasSubstr("ran 0 segments"));
  run = *right;
  run.outcomes[0].end_ms += 1;
  EXPECT_FALSE(check_run(system, queries, run));
}

Error error_of(Decision (*decide)(const ServingState&, const PolicyVariant&)) {
  const PolicyDef wrong{.name = "wrong", .variants = {{.name = "only"}}, .decide = decide};
  const ServingSystem system = two_models();
  const auto run =
      simulate_serving(system, serving_simulation_at({0, 0}), wrong, wrong.variants[0], exact());
  return run ? Error{} : run.error();
}

TEST(SimulateServing, RefusesDecisionsThatCannotBe) {
  EXPECT_THAT(error_of([](const auto&, const auto&) { return Decision{}; }).message,
              HasSubstr("policy \"wrong\" decides nothing"));
  EXPECT_THAT(error_of([](const auto&, const auto&) {
                return Decision{{{7, 1, 0}}, {}};
              }).message,
              HasSubstr("names query 7"));
  EXPECT_THAT(error_of([](const auto&, const auto&) {
                return Decision{{{0, 2, 0}}, {}};
              }).message,
              HasSubstr("query 0 does not have"));
  EXPECT_THAT(error_of([](const auto&, const auto&) {
                return Decision{{{0, 1, 2}}, {}};
              }).message,
              HasSubstr("query 0 does not have"));
  EXPECT_THAT(error_of([](const auto&, const auto&) {
                return Decision{{{0, 1, 1}, {1, 1, 0}}, {}};
              }).message,
              HasSubstr("wants 1 workers where 0 are free"));
}

}  // namespace
}  // namespace opbench
