#include "base/numbers/date.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(DayOfDate, CountsFrom1970) {
  EXPECT_EQ(day_of_date("1970-01-01"), 0);
  EXPECT_EQ(day_of_date("1970-03-01"), 59);
  EXPECT_EQ(day_of_date("2024-02-29"), 19782);
  EXPECT_EQ(day_of_date("1969-12-31"), -1);
  EXPECT_EQ(day_of_date("2026-01-31T03:00:00Z"), day_of_date("2026-01-31"));
}

TEST(DayOfDate, RefusesWhatNoCalendarHas) {
  for (const char* text : {"", "2026-1-1", "2026-13-01", "2026-02-29", "2026-00-10", "2026--1-10",
                           "20260101", "a026-01-01"}) {
    EXPECT_FALSE(day_of_date(text)) << text;
  }
}

}  // namespace
}  // namespace opbench
