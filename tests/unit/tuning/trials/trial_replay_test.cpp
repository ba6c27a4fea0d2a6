#include "tuning/trials/trial_replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files/file.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

/// A line of a log with `{}` where tests put their own words.
std::string line_of(const std::string& entities, double cost_s = 0.002, int error_no = 0,
                    const std::string& target = "llvm",
                    const std::string& task = "dense_nopack.x86") {
  return R"({"input": [")" + target + R"(", ")" + task +
         R"(", [["TENSOR", [4, 8], "float32"], ["TENSOR", [12, 8], "float32"], null, "float32"], )"
         R"({}], "config": {"index": 3, "code_hash": null, "entity": [)" +
         entities + R"(]}, "result": [[)" + std::to_string(cost_s) + "], " +
         std::to_string(error_no) + R"(, 0.5, 1.5], "version": 0.2, "tvm_version": "0.8.0"})";
}

const std::string kGood =
    R"(["tile_y", "sp", [-1, 2]], ["tile_x", "sp", [-1, 4]], ["tile_k", "sp", [-1, 8]])";
const std::string kOther =
    R"(["tile_y", "sp", [-1, 4]], ["tile_x", "sp", [-1, 4]], ["tile_k", "sp", [-1, 8]])";

void add(ReplayPlan& plan, const std::vector<std::string>& lines) {
  int64_t number = 0;
  for (const std::string& line : lines) {
    const DecodedLine decoded = decode_autotvm(line);
    ASSERT_TRUE(decoded.record) << line;
    ++number;
    plan.add(*decoded.record, number);
  }
}

std::vector<ReplayTrial> planned(ReplayPlan& plan, const std::vector<std::string>& lines) {
  add(plan, lines);
  return plan.finish();
}

TEST(ReplayPlan, TakesTheConfigFromTheEntities) {
  ReplayPlan plan({});
  const std::vector<ReplayTrial> trials = planned(plan, {line_of(kGood)});
  ASSERT_EQ(trials.size(), 1);
  ASSERT_NE(trials[0].task, nullptr);
  EXPECT_EQ(text_of(trials[0].task->workload), "dense 4x8 w:12x8 transB=1");
  EXPECT_TRUE(trials[0].is_index_wrong);
  EXPECT_EQ(config_at(trials[0].task->space, trials[0].config.index)->knobs,
            trials[0].config.knobs);
}

TEST(ReplayPlan, SharesTheTaskOfLikeRecords) {
  ReplayPlan plan({});
  const auto trials = planned(plan, {line_of(kGood), line_of(kOther)});
  EXPECT_EQ(trials[0].task, trials[1].task);
}

TEST(ReplayPlan, ReadsSplitsWithTheirOuterExtent) {
  ReplayPlan plan({});
  const auto trials = planned(
      plan,
      {line_of(R"(["tile_x", "sp", [3, 4]], ["tile_y", "sp", [2, 2]], ["tile_k", "sp", [1, 8]])")});
  ASSERT_NE(trials[0].task, nullptr);
  EXPECT_EQ(trials[0].config.knobs[0].value.items[0], Argument::of_int(-1));
}

TEST(ReplayPlan, ReadsPackedDenseLayersWithoutTheirInnerTile) {
  ReplayPlan plan({});
  const auto trials = planned(
      plan,
      {line_of(
          R"(["tile_y", "sp", [-1, 1, 2]], ["tile_x", "sp", [-1, 1, 4]], ["tile_k", "sp", [-1, 8]])",
          0.002, 0, "llvm", "dense_pack.x86")});
  ASSERT_NE(trials[0].task, nullptr) << trials[0].skipped;
  EXPECT_TRUE(candidate_of(*trials[0].task, trials[0].config));
}

TEST(ReplayPlan, SaysWhyATrialIsNotRepeated) {
  ReplayPlan plan({});
  const auto trials = planned(
      plan, {line_of(kGood, 1, 4), line_of(kGood, 0.1, 0, "cuda"),
             line_of(kGood, 0.1, 0, "llvm", "conv3d_ncdhw.x86"),
             line_of(kGood, 0.1, 0, "llvm", "dense_nopack.x68"),
             line_of(kGood, 0.1, 0, "llvm -mtriple=armv7l-linux-gnueabihf -device=arm_cpu")});
  EXPECT_EQ(trials[0].skipped, "it failed then, with error 4");
  EXPECT_THAT(trials[1].skipped, testing::HasSubstr("\"cuda\" is for a GPU: --target opencl"));
  EXPECT_EQ(trials[2].skipped, "no schedule of template \"conv3d_ncdhw.x86\" here");
  EXPECT_EQ(trials[3].skipped,
            "no schedule of template \"dense_nopack.x68\" here; did you mean: dense_nopack.x86");
  EXPECT_THAT(trials[4].skipped, testing::HasSubstr("armv7l"));
  for (const ReplayTrial& trial : trials) EXPECT_EQ(trial.task, nullptr);
}

TEST(ReplayPlan, CompilesForTheTargetThatIsWanted) {
  ReplayPlan plan({.target = host_target()});
  const auto trials = planned(plan, {line_of(kGood, 0.1, 0, "cuda")});
  ASSERT_NE(trials[0].task, nullptr);
  EXPECT_EQ(trials[0].task->task.target, host_target());
}

TEST(ReplayPlan, FindsFaultWithWhatIsNoConfigOfTheSpace) {
  ReplayPlan plan({});
  const auto trials = planned(
      plan,
      {line_of(
           R"(["tile_y", "sp", [-1, 3]], ["tile_x", "sp", [-1, 4]], ["tile_k", "sp", [-1, 8]])"),
       line_of(
           R"(["tile_q", "sp", [-1, 4]], ["tile_x", "sp", [-1, 4]], ["tile_k", "sp", [-1, 8]])")});
  ASSERT_TRUE(trials[0].fault);
  EXPECT_EQ(trials[0].fault->message, "knob \"tile_y\" cannot be [-1, 3]");
  ASSERT_TRUE(trials[1].fault);
  EXPECT_EQ(trials[1].fault->message, "unknown knob \"tile_q\"");
}

TEST(ReplayPlan, RefusesWorkloadsBeyondItsMemory) {
  ReplayPlan plan({.memory_bytes = 100});
  const auto trials = planned(plan, {line_of(kGood)});
  EXPECT_THAT(trials[0].skipped, testing::HasSubstr("its tensors take"));
}

TEST(ReplayPlan, KeepsTheFastestOfEveryTargetAndTask) {
  ReplayPlan plan({.is_best_only = true});
  const auto trials =
      planned(plan, {line_of(kGood, 0.3), line_of(kGood, 0.1, 0, "cuda"), line_of(kOther, 0.2),
                     line_of(kGood, 0.2), line_of(kGood, 1, 4)});
  ASSERT_EQ(trials.size(), 2);
  EXPECT_EQ(trials[0].line, 2);
  EXPECT_EQ(trials[1].line, 3);
}

TEST(ReplayPlan, TakesOnlyWhatIsWanted) {
  ReplayPlan plan({.lines = {2, 3, 4}, .limit = 2});
  const auto trials = planned(plan, {line_of(kGood), line_of(kGood, 0.1, 0, "cuda"), line_of(kGood),
                                     line_of(kGood), line_of(kGood)});
  ASSERT_EQ(trials.size(), 3);
  EXPECT_EQ(trials[2].line, 4);
}

/// Trial i takes i + 1 milliseconds; those of `failing` fail. The last begun is done first.
class TrialReplayFakeMachine : public TrialMachine {
 public:
  void begin(const TunableTask& task) override { begun.push_back(text_of(task.workload)); }
  size_t width() const override { return 2; }
  void start(uint64_t index, KernelSpec) override {
    under_way_.push_back(index);
    most_under_way = std::max(most_under_way, under_way_.size());
  }
  Result<MeasuredConfig> finish(double) override {
    if (finished == stops_after) return Error{ErrorCode::kInterrupted, "interrupted"};
    ++finished;
    MeasuredConfig config{.index = under_way_.back()};
    under_way_.pop_back();
    if (failing.contains(config.index)) {
      config.failure = Failure{FailureKind::kWrongResult, "wrong"};
    } else {
      config.costs_s = {1e-3 * static_cast<double>(config.index + 1)};
    }
    return config;
  }
  Result<MeasuredConfig> measure_afresh(uint64_t, KernelSpec) override {
    return Error{ErrorCode::kSystem, "not asked for"};
  }
  std::vector<std::string> warnings() const override {
    return {fmt::format("doubtful after {}", finished)};
  }

  std::vector<std::string> begun;
  std::set<uint64_t> failing;
  size_t finished = 0;
  size_t stops_after = 1000;
  size_t most_under_way = 0;

 private:
  std::vector<uint64_t> under_way_;
};

class TrialReplayTest : public testing::Test {
 protected:
  TrialLog open() { return std::move(TrialLog::open(path_).value()); }

  ReplayedTrials replay(std::vector<ReplayTrial> trials) {
    TrialLog log = open();
    return std::move(replay_trials(std::move(trials), machine_, log, {}).value());
  }

  int64_t logged() {
    int64_t count = 0;
    TrialLog log = open();
    EXPECT_TRUE(log.read([&](const TuningRecord&) -> Result<void> {
      ++count;
      return {};
    }));
    return count;
  }

  TrialReplayFakeMachine machine_;
  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path path_ = folder_.path() / "a.log";
};

const std::vector<std::string> kMixed = {line_of(kGood), line_of(kGood, 0.1, 0, "cuda"),
                                         line_of(kGood, 0.1, 0, "llvm -mcpu=x86-64"),
                                         line_of(kOther), line_of(kGood)};

TEST_F(TrialReplayTest, MeasuresTaskByTask) {
  ReplayPlan plan({});
  machine_.failing = {3};
  const ReplayedTrials replayed = replay(planned(plan, kMixed));
  EXPECT_EQ(machine_.begun.size(), 2);
  EXPECT_EQ(machine_.most_under_way, 2);
  ASSERT_EQ(replayed.trials.size(), 5);
  EXPECT_EQ(replayed.trials[0].now->costs_s, std::vector<double>{1e-3});
  EXPECT_FALSE(replayed.trials[1].now);
  EXPECT_EQ(replayed.trials[2].now->costs_s, std::vector<double>{3e-3});
  EXPECT_EQ(replayed.trials[3].now->error_no, 5);
  EXPECT_EQ(replayed.trials[3].now->error_message, "wrong");
  EXPECT_EQ(replayed.trials[4].now->costs_s, std::vector<double>{5e-3});
  EXPECT_EQ(replayed.warnings, std::vector<std::string>{"doubtful after 4"});
  EXPECT_EQ(logged(), 4);
}

TEST_F(TrialReplayTest, KeepsWhatWasMeasuredBeforeItWasInterrupted) {
  ReplayPlan plan({});
  machine_.stops_after = 2;
  const ReplayedTrials replayed = replay(planned(plan, kMixed));
  EXPECT_TRUE(replayed.is_interrupted);
  EXPECT_EQ(logged(), 2);
}

TEST_F(TrialReplayTest, GoesOnFromItsLog) {
  ReplayPlan first({}), second({});
  machine_.stops_after = 3;
  replay(planned(first, kMixed));
  std::vector<ReplayTrial> trials = planned(second, kMixed);
  {
    TrialLog log = open();
    EXPECT_EQ(*take_replayed(log, trials), 3);
  }
  machine_ = {};
  const ReplayedTrials replayed = replay(std::move(trials));
  EXPECT_EQ(machine_.finished, 1);
  EXPECT_EQ(logged(), 4);
  for (const ReplayTrial& trial : replayed.trials) {
    EXPECT_EQ(trial.now.has_value(), trial.task != nullptr);
  }
}

}  // namespace
}  // namespace opbench
