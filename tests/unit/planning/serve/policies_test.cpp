#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "planning/serve/serving_simulation.h"
#include "random_serving.h"
#include "serving_optimum.h"

namespace opbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Le;

const PolicyDef& policies_policy(const char* name) { return **policy_table().find(name); }

/// A long model of four segments, 8 ms on one worker and 4 ms on two, and a short one of 1 and 0.6.
ServingSystem long_and_short() {
  ServedModel slow{"long", {}};
  for (int i = 0; i < 4; ++i) slow.segments.push_back({.times_ms = {2, 1}});
  return {.workers = 2, .teams = {1, 2}, .models = {slow, {"short", {{.times_ms = {1, 0.6}}}}}};
}

Query query(int id, size_t model, double arrival_ms, double deadline_ms) {
  return {id, model, arrival_ms, deadline_ms, std::vector<double>(model == 0 ? 4 : 1, 1.0)};
}

std::vector<double> ends_of(const char* name, size_t variant, const std::vector<Query>& queries) {
  const auto run = simulate_serving(long_and_short(), queries, policies_policy(name),
                                    policies_policy(name).variants[variant], {.launch_ms = 0});
  EXPECT_TRUE(run) << to_text(run.error());
  std::vector<double> ends;
  for (const QueryOutcome& outcome : run->outcomes) ends.push_back(outcome.end_ms);
  return ends;
}

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(Policies, AreFoundByName) {
  EXPECT_THAT(policy_table().names(), ElementsAre("edf", "fcfs", "segments", "sjf", "slack"));
  EXPECT_TRUE(policies_policy("fcfs").is_baseline);
  EXPECT_FALSE(policies_policy("slack").is_baseline);
}

TEST(Policies, OrderWholeQueriesByTheirRule) {
  // While the first runs, three more come: long, short with a late deadline, long and urgent.
  const std::vector<Query> queries = {query(0, 0, 0, 50), query(1, 0, 1, 40), query(2, 1, 2, 60),
                                      query(3, 0, 3, 30)};
  EXPECT_THAT(ends_of("fcfs", 0, queries), ElementsAre(4, 8, 8.6, 12.6));
  EXPECT_THAT(ends_of("sjf", 0, queries), ElementsAre(4, 8.6, 4.6, 12.6));
  EXPECT_THAT(ends_of("edf", 0, queries), ElementsAre(4, 12, 12.6, 8));
}

TEST(Policies, RunWholeQueriesSideBySide) {
  const std::vector<Query> queries = {query(0, 0, 0, 50), query(1, 1, 0, 50), query(2, 0, 0, 50)};
  EXPECT_THAT(ends_of("fcfs", 1, queries), ElementsAre(8, 1, 9));
}

TEST(Policies, DropOnlyWhatIsLost) {
  const std::vector<Query> queries = {query(0, 0, 0, 50), query(1, 0, 0, 7), query(2, 0, 0, 8)};
  EXPECT_THAT(ends_of("fcfs", 0, queries), ElementsAre(4, 8, 12));
  EXPECT_THAT(ends_of("fcfs", 2, queries), ElementsAre(4, kNever, 8));
  EXPECT_THAT(ends_of("slack", 0, queries), ElementsAre(12, 4, 8));
}

TEST(Slack, LetsAnUrgentQueryInBetweenSegments) {
  const std::vector<Query> queries = {query(0, 0, 0, 12), query(1, 1, 0.5, 2.3)};
  EXPECT_THAT(ends_of("edf", 0, queries)[1], 4.6);
  const auto ends = ends_of("slack", 0, queries);
  EXPECT_LE(ends[1], 2.3);
  EXPECT_LE(ends[0], 12);
}

TEST(Slack, PacksOthersBesideAQueryThatHasTime) {
  // Side by side a pair of long ones takes 8 ms, one after the other 2 × 5.
  ServingSystem system = long_and_short();
  for (Segment& segment : system.models[0].segments) segment.times_ms[1] = 1.25;
  const auto ends = [&](double first_deadline_ms, double second_deadline_ms) {
    const std::vector<Query> queries = {query(0, 0, 0, first_deadline_ms),
                                        query(1, 0, 0, second_deadline_ms)};
    const PolicyDef& slack = policies_policy("slack");
    const auto run =
        simulate_serving(system, queries, slack, slack.variants[0], {.launch_ms = 0}).value();
    return std::vector<double>{run.outcomes[0].end_ms, run.outcomes[1].end_ms};
  };
  EXPECT_THAT(ends(20, 20), ElementsAre(8, 8));
  EXPECT_THAT(ends(9, 9), Each(Le(9))) << "one after the other, the second would be late";
  EXPECT_THAT(ends(5.1, 11), ElementsAre(5, 10)) << "the first needs all workers";
}

TEST(Slack, GivesUpTheLongestWhereNotAllCanBeInTime) {
  const std::vector<Query> queries = {query(0, 0, 0, 4.2), query(1, 1, 0, 1.3),
                                      query(2, 1, 0, 1.3)};
  const auto ends = ends_of("slack", 0, queries);
  EXPECT_EQ(ends[0], kNever);
  EXPECT_LE(ends[1], 1.3);
  EXPECT_LE(ends[2], 1.3);
}

/// How many queries are late or dropped, without noise and launches that cost.
size_t late_of(const ServingSystem& system, const std::vector<Query>& queries,
               const PolicyDef& policy, const PolicyVariant& variant) {
  const auto run = simulate_serving(system, queries, policy, variant, {.launch_ms = 0});
  EXPECT_TRUE(run) << to_text(run.error());
  size_t late = 0;
  for (const Query& one : queries) {
    constexpr double kRounding = 1e-9;
    const QueryOutcome& outcome = run->outcomes[static_cast<size_t>(one.id)];
    late += outcome.is_dropped || outcome.end_ms > one.deadline_ms + kRounding ? 1 : 0;
  }
  return late;
}

TEST(Policies, AreNeverBetterThanTheOptimumAndSlackIsNearIt) {
  size_t optimum = 0, slack = 0, edf = 0, queries_in_all = 0;  // late ones
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const ServingSystem system = random_serving({.segments = 2}, seed);
    const auto queries = make_queries(
        system, {.load = 3, .count = 4, .deadline = {.solo_times = 2}, .noise = 0, .seed = seed});
    const size_t best = ServingOptimum(system, queries).late();
    for (const PolicyDef& one : policy_table().all()) {
      for (const PolicyVariant& variant : one.variants) {
        EXPECT_GE(late_of(system, queries, one, variant), best)
            << one.name << " " << variant.name << " seed " << seed;
      }
    }
    optimum += best;
    slack +=
        late_of(system, queries, policies_policy("slack"), policies_policy("slack").variants[0]);
    edf += late_of(system, queries, policies_policy("edf"), policies_policy("edf").variants[2]);
    queries_in_all += queries.size();
  }
  RecordProperty("late by the optimum", static_cast<int>(optimum));
  RecordProperty("late by slack", static_cast<int>(slack));
  RecordProperty("late by edf", static_cast<int>(edf));
  EXPECT_GT(optimum, queries_in_all / 20) << "the draw is too easy to say anything";
  EXPECT_LT(slack, edf);
  // The optimum knows what will arrive.
  EXPECT_LE(static_cast<double>(slack), 1.25 * static_cast<double>(optimum));
}

}  // namespace
}  // namespace opbench
