#include "records/store/kept_reports.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

TEST(KeptReports, StandOnceForEachContent) {
  const auto folder = TemporaryFolder::make().value();
  EXPECT_TRUE(kept_reports(folder.path(), kPlanReports).empty());
  const std::string id = keep_report(folder.path(), kPlanReports, "a").value();
  EXPECT_EQ(keep_report(folder.path(), kPlanReports, "a").value(), id);
  ASSERT_TRUE(keep_report(folder.path(), kPlanReports, "b"));
  ASSERT_TRUE(keep_report(folder.path(), kInterferenceReports, "a"));
  EXPECT_EQ(kept_reports(folder.path(), kPlanReports).size(), 2U);
  EXPECT_EQ(read_report(folder.path(), kPlanReports, id).value(), "a");
}

TEST(KeptReports, AreTheirOwnNamesAlone) {
  const auto folder = TemporaryFolder::make().value();
  ASSERT_TRUE(keep_report(folder.path(), kPlanReports, "a"));
  ASSERT_TRUE(write_file(folder.path() / "reports/plan-x.json", "x"));
  ASSERT_TRUE(write_file(folder.path() / "reports/notes.txt", "x"));
  EXPECT_EQ(kept_reports(folder.path(), kPlanReports).size(), 1U);
  EXPECT_EQ(read_report(folder.path(), kPlanReports, "../x").error().message,
            "the store keeps no plan \"../x\"");
}

}  // namespace
}  // namespace opbench
