#include "tuning/trials/task_search.h"

#include <gmock/gmock.h>

#include <set>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "kernels/tasks/task_arguments.h"

namespace opbench {
namespace {

TunableTask small_task() {
  const AnchorCall call{.op = "nn.conv2d",
                        .data = {DataType::kFloat32, {1, 16, 14, 14}},
                        .weight = {DataType::kFloat32, {32, 16, 3, 3}},
                        .strides = {1, 1},
                        .padding = {1, 1, 1, 1},
                        .dilation = {1, 1}};
  return *tunable_task({"conv2d_NCHWc.x86", blocked_convolution_arguments(call), host_target()}, 0);
}

/// Measures nothing: config i takes 1 + |i - 100| microseconds, configs of `failing` fail.
class TaskSearchFakeMachine : public TrialMachine {
 public:
  void begin(const TunableTask&) override {}
  size_t width() const override { return 4; }
  void start(uint64_t index, KernelSpec) override {
    EXPECT_TRUE(started.insert(index).second) << index;
    under_way_.push_back(index);
    most_under_way = std::max(most_under_way, under_way_.size());
  }
  Result<MeasuredConfig> finish(double) override {
    if (stops_after && started.size() > *stops_after) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    // The last that was begun is the first to be done.
    const uint64_t index = under_way_.back();
    under_way_.pop_back();
    return measured(index);
  }
  Result<MeasuredConfig> measure_afresh(uint64_t index, KernelSpec) override {
    afresh.push_back(index);
    return measured(index);
  }

  std::set<uint64_t> started;
  std::set<uint64_t> failing;
  std::vector<uint64_t> afresh;
  std::optional<size_t> stops_after;
  size_t most_under_way = 0;

 private:
  MeasuredConfig measured(uint64_t index) const {
    MeasuredConfig config{.index = index, .spent_s = 0.25};
    if (failing.contains(index)) {
      config.failure = Failure{FailureKind::kRunTimeout, "too long"};
    } else {
      const auto away = static_cast<double>(index > 100 ? index - 100 : 100 - index);
      config.costs_s = {1e-6 * (1 + away)};
    }
    return config;
  }

  std::vector<uint64_t> under_way_;
};

class TaskSearchTest : public testing::Test {
 protected:
  std::unique_ptr<TaskSearch> make(const std::string& tuner = "random") {
    return std::make_unique<TaskSearch>(small_task(), **tuner_table().find(tuner), 1);
  }

  std::vector<TuningRecord> logged() {
    std::vector<TuningRecord> records;
    TrialLog log = std::move(TrialLog::open(path_).value());
    EXPECT_TRUE(log.read([&](const TuningRecord& record) -> Result<void> {
      records.push_back(record);
      return {};
    }));
    return records;
  }

  Result<void> run(TaskSearch& search, const SearchOptions& options) {
    TrialLog log = std::move(TrialLog::open(path_).value());
    OPBENCH_CHECK(search.search(machine_, log, options));
    return search.measure_winner(machine_);
  }
  Result<void> run(TaskSearch& search, int64_t trials) {
    return run(search, SearchOptions{.trials = trials});
  }

  TaskSearchFakeMachine machine_;
  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path path_ = folder_.path() / "a.log";
};

TEST_F(TaskSearchTest, LogsEveryTrialAndMeasuresTheBestAfresh) {
  const auto search = make("gridsearch");
  machine_.failing = {3, 7};
  ASSERT_TRUE(run(*search, 50));
  EXPECT_EQ(search->state().trials, 50);
  EXPECT_EQ(search->state().failures, (std::map<int, int64_t>{{7, 2}}));
  EXPECT_EQ(search->state().best->config.index, 49);
  EXPECT_EQ(machine_.afresh, (std::vector<uint64_t>{49, 360})) << "then the default config";
  EXPECT_DOUBLE_EQ(search->state().best->fresh_s.value(), 52e-6);
  EXPECT_DOUBLE_EQ(search->state().best->default_s.value(), 261e-6);
  EXPECT_EQ(machine_.most_under_way, 4);
  const std::vector<TuningRecord> records = logged();
  ASSERT_EQ(records.size(), 50);
  for (const TuningRecord& record : records) {
    const uint64_t index = std::get<KnobConfig>(record.config).index;
    EXPECT_EQ(record.result.error_no, index == 3 || index == 7 ? 7 : 0);
    EXPECT_EQ(record.result.all_cost_s, 0.25);
  }
}

TEST_F(TaskSearchTest, EndsWhereTheSpaceEnds) {
  const auto search = make();
  ASSERT_TRUE(run(*search, 1000));
  EXPECT_EQ(search->state().trials, 360);
  EXPECT_TRUE(search->state().is_exhausted);
  EXPECT_EQ(search->state().best->config.index, 100);
}

TEST_F(TaskSearchTest, GoesOnFromItsLog) {
  machine_.stops_after = 60;
  EXPECT_EQ(run(*make(), 300).error().code, ErrorCode::kInterrupted);
  const std::vector<TuningRecord> before = logged();
  EXPECT_GT(before.size(), 50);
  const auto search = make();
  for (const TuningRecord& record : before) ASSERT_TRUE(search->resume(record));
  machine_ = {};
  ASSERT_TRUE(run(*search, 300));
  EXPECT_EQ(search->state().resumed, before.size());
  EXPECT_EQ(search->state().trials, 300);
  std::set<uint64_t> configs;
  for (const TuningRecord& record : logged()) {
    EXPECT_TRUE(configs.insert(std::get<KnobConfig>(record.config).index).second);
  }
  EXPECT_EQ(configs.size(), 300);
}

TEST_F(TaskSearchTest, KnowsTheBestOfTheLog) {
  ASSERT_TRUE(run(*make(), 360));
  const auto search = make();
  for (const TuningRecord& record : logged()) ASSERT_TRUE(search->resume(record));
  machine_ = {};
  ASSERT_TRUE(run(*search, 360));
  EXPECT_TRUE(machine_.started.empty());
  EXPECT_EQ(machine_.afresh, (std::vector<uint64_t>{100, 360}));
}

TEST_F(TaskSearchTest, StartsNothingAfterItsDeadline) {
  const auto search = make();
  ASSERT_TRUE(run(*search, SearchOptions{.trials = 10, .deadline_s = monotonic_s() - 1}));
  EXPECT_EQ(search->state().trials, 0);
  EXPECT_FALSE(search->state().best);
}

TEST_F(TaskSearchTest, RefusesATrialOfAnotherSpace) {
  ASSERT_TRUE(run(*make(), 1));
  TuningRecord record = logged().front();
  std::get<KnobConfig>(record.config).knobs.front().value.items.back() = Argument::of_int(3);
  EXPECT_FALSE(make()->resume(record));
}

TEST_F(TaskSearchTest, EndsWhereNoConfigCanBeBuilt) {
  TunableTask task = small_task();
  task.schedule = "nothing";
  TaskSearch search(std::move(task), **tuner_table().find("random"), 1);
  ASSERT_TRUE(run(search, 50));
  EXPECT_EQ(search.state().trials, 0);
  EXPECT_EQ(search.state().refused, 360);
  EXPECT_TRUE(search.state().is_exhausted);
  EXPECT_TRUE(machine_.started.empty());
}

TEST_F(TaskSearchTest, TakesAllFailing) {
  for (uint64_t i = 0; i < 360; ++i) machine_.failing.insert(i);
  const auto search = make("ga");
  ASSERT_TRUE(run(*search, 250));
  EXPECT_EQ(search->state().trials, 250);
  EXPECT_FALSE(search->state().best);
  EXPECT_TRUE(machine_.afresh.empty());
}

/// Notes what it is taught.
struct TaughtTuner : Tuner {
  std::vector<uint64_t> next(size_t) override { return {}; }
  void tell(uint64_t, double) override {}
  void learn_from(const TunerInput& other, const std::vector<ScoredConfig>& configs) override {
    taught_by = other.task->name;
    taught = configs;
  }
  static inline std::string taught_by;
  static inline std::vector<ScoredConfig> taught;
};

TEST_F(TaskSearchTest, TeachesAnotherWhatItFoundOut) {
  const auto search = make("gridsearch");
  machine_.failing = {3};
  ASSERT_TRUE(run(*search, 10));
  const TunerDef taught{.name = "taught", .make = [](const TunerInput&) -> std::unique_ptr<Tuner> {
                          return std::make_unique<TaughtTuner>();
                        }};
  TaskSearch other(small_task(), taught, 1);
  other.learn_from(*search);
  EXPECT_EQ(TaughtTuner::taught_by, "conv2d_NCHWc.x86");
  ASSERT_EQ(TaughtTuner::taught.size(), 10);
  for (const ScoredConfig& config : TaughtTuner::taught) {
    EXPECT_EQ(config.score == 0, config.index == 3);
  }
}

}  // namespace
}  // namespace opbench
