#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "planning/plans/plan_file.h"
#include "prediction/interference/interference_file.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/view.h"
#include "records/store/kept_reports.h"
#include "sample_interference.h"

namespace opbench {
namespace {

/// b and c need a; each has a worker of its own.
PlanFile forked_plan() {
  PlanFile file{.model = "<b>net</b>",
                .source = "zoo",
                .sha256 = "ab",
                .target = "llvm",
                .kernels = "cd",
                .cpus = {2, 3},
                .times = "measured in the model",
                .transfers = "",
                .predicted_ms = 5,
                .sequential_ms = 9,
                .ceiling = 2,
                .ceiling_by_pieces = 2,
                .reason = "because"};
  file.timed.times.teams = {1, 2};
  file.timed.add({.name = "a", .kind = "conv2d"}, {.times_ms = {2, 1}});
  file.timed.add({.name = "b", .kind = "relu", .needs = {{0}}}, {.times_ms = {4, 3}});
  file.timed.add({.name = "c", .kind = "add", .needs = {{0}}}, {.times_ms = {3, 3}});
  for (const char* text : {"conv2d 1x4", "relu 1x4", "add 1x4"}) {
    file.facts.push_back(identity_from({.workload = text}));
  }
  file.plan = {
      .planner = "dp", .workers = 2, .steps = {{{0}, {0, 1}, {}}, {{1}, {0}, {}}, {{2}, {1}, {}}}};
  return file;
}

class PlanViews : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>(TemporaryFolder::make().value());
    ASSERT_TRUE(StoreFolder::open_to_write(folder_->path()));
    store_ = WebStore::open(folder_->path()).value();
    ASSERT_TRUE(store_->refresh());
  }
  std::string keep(const std::string& kind, const std::string& text) {
    return keep_report(folder_->path(), kind, text).value();
  }
  Json ask(const std::string& path, WebRequest::Parameters parameters, int status = 200) {
    const WebAnswer answer = answer_to(path, {.store = *store_}, WebRequest(std::move(parameters)));
    EXPECT_EQ(answer.status, status) << answer.body;
    return Json::parse(answer.body);
  }

  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<WebStore> store_;
};

TEST_F(PlanViews, ListWhatTheStoreKeeps) {
  EXPECT_EQ(ask("overview", {})["pages"]["plans"], nullptr);
  const std::string text = to_json(forked_plan()).dump();
  const std::string id = keep(kPlanReports, text);
  EXPECT_EQ(keep(kPlanReports, text), id);
  keep(kPlanReports, "{}");
  const Json plans = ask("plans", {})["plans"];
  ASSERT_EQ(plans.size(), 2U) << "the same plan stands once";
  const Json& good = plans[plans[0]["id"] == id ? 0 : 1];
  const Json& bad = plans[plans[0]["id"] == id ? 1 : 0];
  EXPECT_EQ(good["model"], "<b>net</b>");
  EXPECT_EQ(good["workers"], 2);
  EXPECT_EQ(good["fault"], nullptr);
  EXPECT_TRUE(bad["fault"].is_string());
  EXPECT_EQ(ask("overview", {})["pages"]["plans"]["plans"], 2);
}

TEST_F(PlanViews, SayWhatEachWorkerRunsWhen) {
  const std::string id = keep(kPlanReports, to_json(forked_plan()).dump());
  const Json plan = ask("plans/timeline", {{"id", id}});
  EXPECT_EQ(plan["cpus"], Json({2, 3}));
  EXPECT_EQ(plan["makespan_ms"], 5);
  EXPECT_NEAR(plan["busy_pct"].get<double>(), 90, 1e-9);  // (2 + 4 + 3) of 2 x 5
  ASSERT_EQ(plan["spans"].size(), 3U);
  EXPECT_EQ(plan["spans"][0]["workers"], Json({0, 1}));
  const Json& add = plan["spans"][plan["spans"][1]["operator"] == "add" ? 1 : 2];
  EXPECT_EQ(add["start_ms"], 1);
  EXPECT_EQ(add["end_ms"], 4);
  EXPECT_EQ(add["workload"], "add 1x4");
  EXPECT_TRUE(
      plan["command"].get<std::string>().starts_with("opbench profile '<b>net</b>' --plan "));
}

TEST_F(PlanViews, PutSlowDownsIntoAMatrix) {
  const std::string id =
      keep(kInterferenceReports, interference_json(sample_interference()).dump());
  const Json matrix = ask("plans/interference", {{"id", id}});
  ASSERT_EQ(matrix["unit_list"].size(), 2U);
  EXPECT_EQ(matrix["cells"][0][1]["ratio"], 1.31);
  EXPECT_EQ(matrix["cells"][0][1]["forecast"], 1.3);
  EXPECT_EQ(matrix["cells"][1][1], nullptr) << "was not measured";
  EXPECT_EQ(ask("plans", {})["interference"][0]["worst"], 1.31);
}

TEST_F(PlanViews, RefuseWhatIsNotThere) {
  EXPECT_EQ(ask("plans/timeline", {{"id", "../../etc/passwd"}}, 404)["error"],
            "the store keeps no plan \"../../etc/passwd\"");
  ask("plans/interference", {{"id", keep(kPlanReports, "{}")}}, 404);
  ask("plans/timeline", {{"id", keep(kPlanReports, "{}")}}, 400);
}

}  // namespace
}  // namespace opbench
