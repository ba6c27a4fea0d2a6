#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "presentation/web/requests/view_answer.h"
#include "presentation/web/view.h"
#include "records/store/import/import.h"
#include "records/store/parts/compact.h"

namespace opbench {
namespace {

/// A trial of `conv2d 1x4`: `seconds` 0 is a failure.
std::string tuning_line(int index, int tile, const std::string& order, double seconds) {
  const std::string result = seconds > 0
                                 ? fmt::format("[[{}], 0, 1.5, {}]", seconds, 1700000000 + index)
                                 : fmt::format("[[1000000000.0], 4, 1.5, {}]", 1700000000 + index);
  return fmt::format(
      R"({{"input": ["llvm", "conv2d_direct.opbench", ["conv2d 1x4", [0, 0]], {{}}], "config": )"
      R"({{"index": {}, "code_hash": null, "entity": [["tile <b>", "ot", {}], ["order", "ot", )"
      R"({}]]}}, "result": {}, "version": 0.2, "tvm_version": "0.8.0+opbench.0.1.0"}})"
      "\n",
      index, tile, order, result);
}

/// The time is that of the tile; the order of the loops does not matter.
class TuningViews : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<TemporaryFolder>(TemporaryFolder::make().value());
    std::string lines;
    int index = 0;
    for (const int round : {0, 1, 2, 3}) {
      for (const int tile : {8, 2, 16}) {
        const double noise = 1 + 0.001 * ((7 * index) % 5);
        lines += tuning_line(index++, tile, std::to_string(round % 2), noise * 0.001 * tile);
      }
    }
    lines += tuning_line(index++, 4, "0", 0);
    import(lines, "first.log");
    store_ = WebStore::open(folder_->path() / "store").value();
    ASSERT_TRUE(store_->refresh());
  }

  void import(const std::string& lines, const std::string& name) {
    const auto file = folder_->path() / name;
    ASSERT_TRUE(write_file(file, lines));
    auto store = StoreFolder::open_to_write(folder_->path() / "store").value();
    const auto done = import_file(store, file.string());
    ASSERT_TRUE(done) << to_text(done.error());
  }

  Json ask(const std::string& path, WebRequest::Parameters parameters, int status = 200) {
    const WebAnswer answer = answer_to(path, {.store = *store_}, WebRequest(std::move(parameters)));
    EXPECT_EQ(answer.status, status) << answer.body;
    return Json::parse(answer.body);
  }
  Json task() { return ask("tuning/task", {{"key", row()["key"].get<std::string>()}}); }
  Json row() { return ask("tuning", {})["rows"][0]; }

  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<WebStore> store_;
};

TEST_F(TuningViews, CountTrialsOfATask) {
  EXPECT_EQ(row()["trials"], 13);
  EXPECT_EQ(row()["failed"], 1);
  EXPECT_NEAR(row()["best_ms"].get<double>(), 2, 0.01);
  EXPECT_NEAR(row()["first_ms"].get<double>(), 8, 0.01);
  EXPECT_EQ(ask("overview", {})["store"]["trials"], 13);
}

TEST_F(TuningViews, AddTrialsThatComeLaterAndSurviveAMerge) {
  import(tuning_line(20, 1, "0", 0.0005), "second.log");
  ASSERT_TRUE(store_->refresh());
  EXPECT_EQ(row()["trials"], 14);
  EXPECT_NEAR(row()["best_ms"].get<double>(), 0.5, 1e-9);
  auto store = StoreFolder::open_to_write(folder_->path() / "store").value();
  ASSERT_TRUE(compact(store, RecordKind::kTrial));
  ASSERT_TRUE(store_->refresh());
  EXPECT_EQ(row()["trials"], 14);
  EXPECT_NEAR(row()["first_ms"].get<double>(), 8, 0.01);
}

TEST_F(TuningViews, FollowTheBestTime) {
  const Json progress = task()["best_so_far"];
  EXPECT_EQ(progress["trial"].size(), 12U) << "the failed one is not drawn";
  EXPECT_NEAR(progress["best_ms"][0].get<double>(), 8, 0.01);
  EXPECT_NEAR(progress["best_ms"][2].get<double>(), 2, 0.01);
  EXPECT_NEAR(progress["ms"][2].get<double>(), 16, 0.1);
  EXPECT_EQ(task()["errors"].size(), 1U);
}

TEST_F(TuningViews, SayWhichKnobsMatter) {
  const Json knobs = task()["knobs"];
  ASSERT_EQ(knobs.size(), 2U);
  EXPECT_EQ(knobs[0]["name"], "tile <b>");
  EXPECT_EQ(knobs[0]["values"], Json({"2", "8", "16"})) << "in the order of numbers";
  EXPECT_GT(knobs[0]["explained_pct"], 99);
  EXPECT_EQ(knobs[0]["best_value"], "2");
  EXPECT_LT(knobs[1]["explained_pct"], 1);
}

TEST_F(TuningViews, PutConfigsOverTheirKnobs) {
  const Json configs = task()["configs"];
  ASSERT_EQ(configs.size(), 6U) << "one config of a pair of values";
  EXPECT_EQ(configs[0]["is_best"], true);
  EXPECT_EQ(configs[0]["values"][0], 0);
  EXPECT_EQ(configs[5]["values"][0], 2);
}

TEST_F(TuningViews, NameTheCommandThatGoesOn) {
  const std::string command = task()["command"];
  EXPECT_TRUE(command.starts_with("opbench tune 'conv2d 1x4' --log ")) << command;
  EXPECT_TRUE(command.ends_with(" --continue")) << command;
}

TEST_F(TuningViews, RefuseATaskThatIsNotThere) {
  EXPECT_EQ(ask("tuning/task", {{"key", "' OR 1=1 --"}}, 404)["error"],
            "the store has no task \"' OR 1=1 --\"");
  ask("tuning/task", {}, 400);
}

TEST_F(TuningViews, SayWhyAFailedTaskHasNoKnobs) {
  std::string line = tuning_line(30, 4, "0", 0);
  line.replace(line.find("conv2d 1x4"), 10, "conv2d 1x5");
  import(line, "failed.log");
  ASSERT_TRUE(store_->refresh());
  const Json rows = ask("tuning", {{"q", "1x5"}})["rows"];
  const Json failed = ask("tuning/task", {{"key", rows[0]["key"].get<std::string>()}});
  EXPECT_EQ(failed["why_no_knobs"], "Every trial of this task failed: no config has a time.");
  EXPECT_TRUE(failed["best_so_far"]["trial"].empty());
}

}  // namespace
}  // namespace opbench
