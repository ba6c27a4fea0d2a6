#include "planning/serve/queries.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random_serving.h"

namespace opbench {
namespace {

TEST(ParseDeadline, TakesTimesAndMilliseconds) {
  EXPECT_EQ(parse_deadline("3x").value(), (Deadline{.solo_times = 3}));
  EXPECT_EQ(parse_deadline("2.5x").value(), (Deadline{.solo_times = 2.5}));
  EXPECT_EQ(parse_deadline("20ms").value(), (Deadline{.solo_times = 0, .ms = 20}));
  EXPECT_EQ(parse_deadline("20").value(), (Deadline{.solo_times = 0, .ms = 20}));
  for (const char* text : {"", "x", "0x", "-1ms", "3y", "ms", "nan", "3 x"}) {
    EXPECT_FALSE(parse_deadline(text)) << text;
  }
  EXPECT_EQ(deadline_text(parse_deadline("3x").value()), "3x");
  EXPECT_EQ(deadline_text(parse_deadline("20ms").value()), "20 ms");
}

TEST(MakeQueries, DependOnTheSeedAlone) {
  const ServingSystem system = random_serving({}, 1);
  const QueryOptions options{.count = 200, .seed = 7};
  EXPECT_EQ(make_queries(system, options), make_queries(system, options));
  QueryOptions other = options;
  other.seed = 8;
  EXPECT_NE(make_queries(system, options), make_queries(system, other));
}

TEST(MakeQueries, ScaleOnlyDistancesWithTheLoad) {
  const ServingSystem system = random_serving({}, 1);
  const auto half = make_queries(system, {.load = 0.5, .count = 100});
  const auto full = make_queries(system, {.load = 1, .count = 100});
  for (size_t i = 0; i < half.size(); ++i) {
    EXPECT_NEAR(half[i].arrival_ms, 2 * full[i].arrival_ms, 1e-9 * half[i].arrival_ms);
    EXPECT_EQ(half[i].model, full[i].model);
    EXPECT_EQ(half[i].factors, full[i].factors);
  }
}

TEST(MakeQueries, ArriveAtTheLoadWithFactorsOfMeanOne) {
  const ServingSystem system = random_serving({}, 2);
  const auto queries = make_queries(system, {.load = 0.8, .count = 20000, .noise = 0.1});
  const double rate = 20000 / queries.back().arrival_ms;
  EXPECT_NEAR(rate / (0.8 * capacity_per_ms(system)), 1, 0.03);  // 4 standard errors
  double sum = 0, squares = 0, count = 0;
  for (const Query& query : queries) {
    EXPECT_NEAR(query.deadline_ms - query.arrival_ms, 3 * solo_ms(system, query.model), 1e-6);
    for (const double factor : query.factors) {
      sum += factor;
      squares += factor * factor;
      count += 1;
    }
  }
  EXPECT_NEAR(sum / count, 1, 0.003);
  EXPECT_NEAR(std::sqrt(squares / count - std::pow(sum / count, 2)), 0.1, 0.005);
}

TEST(MakeQueries, TakeADeadlineInMilliseconds) {
  const ServingSystem system = random_serving({}, 2);
  for (const Query& query :
       make_queries(system, {.count = 20, .deadline = {.solo_times = 0, .ms = 12}})) {
    EXPECT_DOUBLE_EQ(query.deadline_ms, query.arrival_ms + 12);
  }
}

}  // namespace
}  // namespace opbench
