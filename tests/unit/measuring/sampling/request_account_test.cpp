#include "measuring/sampling/request_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

using testing::HasSubstr;

RequestAccount request(double outside_s, double timed_s) {
  return {.outside_s = outside_s, .timed_s = timed_s, .worked_s = outside_s, .overhead_s = 1e-4};
}

TEST(AccountBook, AnEngineThatAccountsForItsTimeIsTrusted) {
  AccountBook book;
  for (int i = 0; i < 10; ++i) book.add(request(0.101, 0.1));
  EXPECT_FALSE(book.finding());
}

TEST(AccountBook, OneRequestThatIsWholeClearsTheOthers) {
  AccountBook book;
  for (int i = 0; i < 10; ++i) book.add(request(0.2, 0.1));  // something disturbed these
  EXPECT_FALSE(book.is_clear());
  book.add(request(0.102, 0.1));
  EXPECT_FALSE(book.finding());
  EXPECT_TRUE(book.is_clear());
}

TEST(AccountBook, AClockAtATenthOfTheSpeedIsFound) {
  AccountBook book;
  for (int i = 0; i < 3; ++i) book.add(request(0.1, 0.01));
  ASSERT_TRUE(book.finding());
  EXPECT_EQ(book.finding()->kind, FailureKind::kWrongResult);
  EXPECT_THAT(
      book.finding()->text,
      HasSubstr("it worked 0.0999 s on a request and accounts for 0.01 s, as in each of 3"));
}

TEST(AccountBook, TwoRequestsAreTooFewAndShortOnesTellNothing) {
  AccountBook book;
  for (int i = 0; i < 2; ++i) book.add(request(0.1, 0.01));
  for (int i = 0; i < 50; ++i) book.add(request(0.01, 0.001));
  EXPECT_FALSE(book.finding());
}

TEST(AccountBook, WhatOtherWorkDelaysIsNoLie) {
  AccountBook book;
  for (int i = 0; i < 5; ++i) book.add({.outside_s = 0.3, .timed_s = 0.1, .worked_s = 0.1});
  EXPECT_FALSE(book.finding());
  EXPECT_TRUE(book.is_clear());
}

TEST(AccountBook, AClockThatLiesIsFoundBesideOtherWork) {
  AccountBook book;
  // A tenth of the time that the samples took, of which two thirds went to other programs.
  for (int i = 0; i < 3; ++i) book.add({.outside_s = 0.3, .timed_s = 0.03, .worked_s = 0.1});
  EXPECT_TRUE(book.finding());
}

TEST(UntimedTime, IsTheWarmUpAndAFewCallsWithHotCaches) {
  const std::vector<Sample> samples = {{.wall_s = 0.01}, {.wall_s = 0.008}};
  const MeasureRequest hot{.number = 5, .warm_up_s = 0.5, .warm_up_calls = 4};
  const double explained_s = 0.5 + 7 * 0.01 + 0.05 * 5 * 0.018 + 0.005;
  EXPECT_NEAR(untimed_s({{"untimed_s", 10}}, samples, hot), explained_s, 1e-9);
  EXPECT_NEAR(untimed_s(Json::object(), samples, hot), explained_s, 1e-9) << "none is declared";
  EXPECT_DOUBLE_EQ(untimed_s({{"untimed_s", 0.02}}, samples, hot), 0.02);
  EXPECT_DOUBLE_EQ(untimed_s({{"untimed_s", 10}}, samples, {.is_hot = false}), 10)
      << "caches are emptied";
}

}  // namespace
}  // namespace opbench
