#include "measuring/sampling/request_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using testing::HasSubstr;

RequestAccount request(double outside_s, double timed_s) {
  return {.outside_s = outside_s, .timed_s = timed_s, .overhead_s = 1e-4};
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
  EXPECT_THAT(book.finding()->text,
              HasSubstr("a request took 0.1 s, and it accounts for 0.01 s, as in each of 3"));
}

TEST(AccountBook, TwoRequestsAreTooFewAndShortOnesTellNothing) {
  AccountBook book;
  for (int i = 0; i < 2; ++i) book.add(request(0.1, 0.01));
  for (int i = 0; i < 50; ++i) book.add(request(0.01, 0.001));
  EXPECT_FALSE(book.finding());
}

TEST(AccountBook, WaitingForACpuIsNoLie) {
  AccountBook book;
  for (int i = 0; i < 5; ++i) {
    book.add({.outside_s = 0.3, .timed_s = 0.1, .waited_s = 0.2, .overhead_s = 1e-4});
  }
  EXPECT_FALSE(book.finding());
}

TEST(ExplainedUntimed, IsTheWarmUpAndAFewCallsWithHotCaches) {
  EXPECT_NEAR(explained_untimed_s(10, 0.5, 4, 0.01, 0.1, true), 0.5 + 7 * 0.01 + 0.005 + 0.005,
              1e-9);
  EXPECT_DOUBLE_EQ(explained_untimed_s(0.02, 0.5, 4, 0.01, 0.1, true), 0.02);
  EXPECT_DOUBLE_EQ(explained_untimed_s(10, 0, 0, 0.01, 0.1, false), 10) << "caches are emptied";
}

}  // namespace
}  // namespace opbench
