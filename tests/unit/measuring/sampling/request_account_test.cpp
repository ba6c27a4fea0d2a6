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

TEST(RequestAccounts, AnEngineThatAccountsForItsTimeIsTrusted) {
  RequestAccounts accounts;
  for (int i = 0; i < 10; ++i) accounts.add(request(0.101, 0.1));
  EXPECT_FALSE(accounts.finding());
}

TEST(RequestAccounts, OneRequestThatIsWholeClearsTheOthers) {
  RequestAccounts accounts;
  for (int i = 0; i < 10; ++i) accounts.add(request(0.2, 0.1));  // something disturbed these
  EXPECT_FALSE(accounts.is_clear());
  accounts.add(request(0.102, 0.1));
  EXPECT_FALSE(accounts.finding());
  EXPECT_TRUE(accounts.is_clear());
}

TEST(RequestAccounts, AClockAtATenthOfTheSpeedIsFound) {
  RequestAccounts accounts;
  for (int i = 0; i < 3; ++i) accounts.add(request(0.1, 0.01));
  ASSERT_TRUE(accounts.finding());
  EXPECT_EQ(accounts.finding()->kind, FailureKind::kWrongResult);
  EXPECT_THAT(
      accounts.finding()->text,
      HasSubstr("it worked 0.0999 s on a request and accounts for 0.01 s, as in each of 3"));
}

TEST(RequestAccounts, TwoRequestsAreTooFewAndShortOnesTellNothing) {
  RequestAccounts accounts;
  for (int i = 0; i < 2; ++i) accounts.add(request(0.1, 0.01));
  for (int i = 0; i < 50; ++i) accounts.add(request(0.01, 0.001));
  EXPECT_FALSE(accounts.finding());
}

TEST(RequestAccounts, WhatOtherWorkDelaysIsNoLie) {
  RequestAccounts accounts;
  for (int i = 0; i < 5; ++i) accounts.add({.outside_s = 0.3, .timed_s = 0.1, .worked_s = 0.1});
  EXPECT_FALSE(accounts.finding());
  EXPECT_TRUE(accounts.is_clear());
}

TEST(RequestAccounts, AClockThatLiesIsFoundBesideOtherWork) {
  RequestAccounts accounts;
  // A tenth of the time that the samples took, of which two thirds went to other programs.
  for (int i = 0; i < 3; ++i) accounts.add({.outside_s = 0.3, .timed_s = 0.03, .worked_s = 0.1});
  EXPECT_TRUE(accounts.finding());
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
