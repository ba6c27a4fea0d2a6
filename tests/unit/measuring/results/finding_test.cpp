#include "measuring/results/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measuring/results/profile_json.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Finding tried() {
  return {.finding = "run on 2 threads",
          .where = "resnet-18",
          .evidence = "2 CPUs, one of them used",
          .gain_low_pct = 30,
          .gain_high_pct = 50,
          .command = "opbench profile resnet-18 --threads 2",
          .measured_gain_pct = 42.5};
}

TEST(Finding, ReadsBackWhatItWrote) {
  Finding failed = tried();
  failed.measured_gain_pct.reset();
  failed.not_measured = "it has no time";
  Finding untried = failed;
  untried.not_measured.reset();
  EXPECT_THAT(findings_of(findings_json({tried(), failed, untried})),
              ElementsAre(tried(), failed, untried));
}

TEST(Finding, HasTheNamesThatReportsPromise) {
  const Json json = findings_json({tried()});
  for (const char* name : {"finding", "where", "evidence", "gain_low_pct", "gain_high_pct",
                           "command", "measured_gain_pct"}) {
    EXPECT_TRUE(json[0].contains(name)) << name;
  }
}

TEST(Finding, LeavesOutWhatIsOfAnotherForm) {
  EXPECT_THAT(findings_of(Json::parse(R"({"finding": "x"})")), IsEmpty());
  EXPECT_THAT(findings_of(Json::parse(R"([1, null, {"where": "x"}])")), IsEmpty());
}

TEST(Finding, StandsInAProfileOnlyWhereItWasAskedFor) {
  ProfileResult result;
  EXPECT_FALSE(profile_json(result).contains("findings"));
  EXPECT_EQ(profile_of(profile_json(result)).findings, std::nullopt);
  result.findings.emplace();
  EXPECT_EQ(profile_of(profile_json(result)).findings, std::vector<Finding>());
  result.findings->push_back(tried());
  EXPECT_EQ(profile_of(profile_json(result)).findings, result.findings);
}

}  // namespace
}  // namespace opbench
