#include "planning/serve/serving_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Workers whose every segment takes 1 ms.
class EvenWorkers : public ServingWorkers {
 public:
  Result<void> start(const StartedLaunch& launch) override {
    launches.push_back(launch);
    running_.push_back({launch, now_ms_});
    return {};
  }
  void forget(int query) override { forgotten.push_back(query); }
  Result<ServingEvent> wait(double until_ms) override {
    double next = until_ms;
    for (const auto& [launch, start_ms] : running_) next = std::min(next, end_of(launch, start_ms));
    now_ms_ = next;
    ServingEvent event{.now_ms = next, .ended = {}};
    for (const auto& [launch, start_ms] : running_) {
      if (end_of(launch, start_ms) > next) continue;
      for (size_t i = launch.first_segment; i < launch.end_segment; ++i) {
        const double before = static_cast<double>(i - launch.first_segment);
        event.ended.push_back({launch.query, i, start_ms + before, start_ms + before + 1});
      }
    }
    std::erase_if(running_, [&](const auto& one) { return end_of(one.first, one.second) <= next; });
    return event;
  }

  std::vector<StartedLaunch> launches;
  std::vector<int> forgotten;

 private:
  static double end_of(const StartedLaunch& launch, double start_ms) {
    return start_ms + static_cast<double>(launch.end_segment - launch.first_segment);
  }
  std::vector<std::pair<StartedLaunch, double>> running_;
  double now_ms_ = 0;
};

ServingSystem one_model() {
  return {.workers = 2,
          .teams = {1, 2},
          .models = {{"a", {{.times_ms = {1, 1}}, {.first_unit = 1, .times_ms = {1, 1}}}}}};
}

std::vector<Query> serving_controller_at(const std::vector<double>& arrivals,
                                         double within_ms = 100) {
  std::vector<Query> queries;
  for (const double ms : arrivals) {
    queries.push_back({static_cast<int>(queries.size()), 0, ms, ms + within_ms, {1.0, 1.0}});
  }
  return queries;
}

const PolicyDef& serving_controller_policy(const char* name) { return **policy_table().find(name); }

TEST(ServeQueries, TakesTimesFromItsWorkers) {
  EvenWorkers workers;
  const auto queries = serving_controller_at({0, 0.5});
  const auto run =
      serve_queries(one_model(), queries, serving_controller_policy("edf"),
                    serving_controller_policy("edf").variants[1], {.keeps_spans = true}, workers);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_TRUE(check_run(one_model(), queries, *run));
  EXPECT_DOUBLE_EQ(run->outcomes[0].end_ms, 2);
  EXPECT_DOUBLE_EQ(run->outcomes[1].end_ms, 2.5);
  EXPECT_DOUBLE_EQ(run->busy_worker_ms, 4);
  EXPECT_THAT(workers.forgotten, ElementsAre(0, 1));
}

TEST(ServeQueries, BeginsNoMoreOfAModelThanMayBeInFlight) {
  EvenWorkers workers;
  const auto run =
      serve_queries(one_model(), serving_controller_at({0, 0, 0}), serving_controller_policy("edf"),
                    serving_controller_policy("edf").variants[1], {.most_in_flight = 1}, workers);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_DOUBLE_EQ(run->outcomes[0].end_ms, 2);
  EXPECT_DOUBLE_EQ(run->outcomes[1].end_ms, 4);
  EXPECT_DOUBLE_EQ(run->outcomes[2].end_ms, 6);
}

TEST(ServeQueries, AsksAgainWhereADropLetsOthersBeSeen) {
  EvenWorkers workers;
  auto queries = serving_controller_at({0, 0});
  queries[0].deadline_ms = 1;  // its segments take 2 ms
  const auto run =
      serve_queries(one_model(), queries, serving_controller_policy("edf"),
                    serving_controller_policy("edf").variants[3], {.most_in_flight = 1}, workers);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_TRUE(run->outcomes[0].is_dropped);
  EXPECT_DOUBLE_EQ(run->outcomes[1].end_ms, 2);
}

TEST(ServeQueries, ForgetsABegunQueryThatIsDropped) {
  const PolicyDef fickle{.name = "fickle",
                         .variants = {{.name = "only"}},
                         .decide = [](const ServingState& state, const PolicyVariant&) {
                           const WaitingQuery& first = state.waiting.front();
                           return first.segment == 0
                                      ? Decision{.launches = {{first.id, 1, 0}}}
                                      : Decision{.launches = {}, .drops = {first.id}};
                         }};
  EvenWorkers workers;
  const auto run = serve_queries(one_model(), serving_controller_at({0}), fickle,
                                 fickle.variants[0], {}, workers);
  ASSERT_TRUE(run) << to_text(run.error());
  EXPECT_TRUE(run->outcomes[0].is_dropped);
  EXPECT_THAT(workers.forgotten, ElementsAre(0));
}

/// Says that something ended which never ran.
class LyingWorkers : public EvenWorkers {
 public:
  Result<ServingEvent> wait(double until_ms) override {
    return ServingEvent{.now_ms = until_ms, .ended = {{.query = 7}}};
  }
};

TEST(ServeQueries, RefusesEndsOfWhatDidNotRun) {
  LyingWorkers workers;
  const auto run =
      serve_queries(one_model(), serving_controller_at({0}), serving_controller_policy("edf"),
                    serving_controller_policy("edf").variants[0], {}, workers);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("query 7 ended and did not run"));
}

}  // namespace
}  // namespace opbench
