#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "presentation/report/replay/trial_replay_report.h"
#include "presentation/report/tune/tune_report.h"

namespace opbench {
namespace {

const std::vector<std::string> kDoubts = {"their cores lay apart"};

TEST(TuneReport, WarnsInItsSummary) {
  EXPECT_EQ(Json::parse(tune_summary_json({.warnings = kDoubts}, "a.log", "llvm")).at("warnings"),
            Json(kDoubts));
  EXPECT_EQ(Json::parse(tune_summary_json({}, "a.log", "llvm")).at("warnings"), Json::array());
}

TEST(TrialReplayReport, WarnsBelowItsTable) {
  EXPECT_THAT(trial_replay_text({.warnings = kDoubts}, 0, {}),
              testing::EndsWith("\nwarning: their cores lay apart\n"));
  EXPECT_EQ(trial_replay_json({.warnings = kDoubts}).at("warnings"), Json(kDoubts));
}

}  // namespace
}  // namespace opbench
