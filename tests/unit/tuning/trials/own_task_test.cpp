#include "tuning/trials/own_task.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/files/file.h"
#include "machine/target/parse_target.h"
#include "tuning/trials/best_kernels.h"
#include "tuning/trials/trial.h"
#include "tuning/trials/trial_log.h"

namespace opbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kConvolution = "conv2d 1x32x14x14 w:64x32x3x3 w:64 pads=1,1,1,1; relu";

Target avx512() { return *parse_target("llvm -mcpu=skylake-avx512"); }

/// The workload as a model; the convolutions of two branches are equal.
Model own_task_model_of(const std::string& text) {
  const Workload workload = *parse_workload(text);
  Model model;
  model.opset = workload.opset;
  model.graph = workload.graph;
  std::erase_if(model.graph.inputs, [&](const Value& v) { return workload.is_weight(v.name); });
  for (const std::string& name : workload.weights) {
    Tensor weight = Tensor::empty(workload.graph.types.at(name));
    std::ranges::fill(weight.as<float>(), 0.5F);
    model.graph.constants[name] = std::move(weight);
  }
  return model;
}

TEST(OwnTasks, AreTheSchedulesThatCanComputeAUnit) {
  const auto tasks = own_tasks(own_task_model_of(kConvolution), avx512());
  ASSERT_TRUE(tasks) << to_text(tasks.error());
  ASSERT_THAT(*tasks, SizeIs(2));
  EXPECT_THAT((*tasks)[0].task.name, Eq("conv2d_winograd.opbench"));
  EXPECT_THAT((*tasks)[1].task.name, Eq("conv2d_direct.opbench"));
  EXPECT_THAT((*tasks)[0].task.arguments, Eq((*tasks)[1].task.arguments));
  EXPECT_THAT((*tasks)[0].task.arguments.front().text, Eq(kConvolution));
}

TEST(OwnTasks, CanBeTunedFromTheirNameAndArgumentsAlone) {
  const std::vector<ModelTask> tasks = *own_tasks(own_task_model_of(kConvolution), avx512());
  for (const ModelTask& own : tasks) {
    SCOPED_TRACE(own.task.name);
    const auto tunable = tunable_task(own.task, 0);
    ASSERT_TRUE(tunable) << to_text(tunable.error());
    ASSERT_THAT(tunable->opening, Not(IsEmpty()));
    const auto spec = candidate_of(*tunable, *config_at(tunable->space, tunable->opening.front()));
    ASSERT_TRUE(spec) << to_text(spec.error());
    EXPECT_THAT(text_of(*spec), Eq(text_of(*spec_of_task(own.task))));
  }
}

TEST(OwnTasks, OpenWithAlternativesToTheRule) {
  const std::vector<ModelTask> tasks = *own_tasks(own_task_model_of(kConvolution), avx512());
  const TunableTask winograd = *tunable_task(tasks[0].task, 0);
  std::set<std::pair<int64_t, int64_t>> kinds;
  for (const uint64_t config : winograd.opening) {
    const auto spec = candidate_of(winograd, *config_at(winograd.space, config));
    ASSERT_TRUE(spec) << to_text(spec.error());
    kinds.insert({spec->config.at("m"), spec->config.at("band")});
  }
  EXPECT_THAT(kinds, SizeIs(8)) << "four edges, a row of tiles at a time or all";
  EXPECT_THAT(winograd.opening, SizeIs(kinds.size())) << "none twice";
  EXPECT_THAT(tunable_task(tasks[1].task, 0)->opening, SizeIs(1)) << "steps lead everywhere";
}

TEST(OwnTasks, OpenWithTheDefaultConfigForTheirThreads) {
  constexpr const char* kLines = "conv2d 1x64x17x17 w:64x64x1x7 pads=0,3,0,3";
  const auto parts = [](const TunableTask& tunable) {
    const KnobConfig config = *config_at(tunable.space, tunable.opening.front());
    return candidate_of(tunable, config)->config.at("parts");
  };
  const Task task = own_tasks(own_task_model_of(kLines), avx512(), 2).value().front().task;
  const TunableTask of_two = *tunable_task(task, 0, 2);
  EXPECT_THAT(parts(*tunable_task(task, 0)), Eq(1));
  EXPECT_THAT(parts(of_two), Eq(2));
  KnobConfig older = *config_at(of_two.space, of_two.opening.front());
  std::erase_if(older.knobs, [](const KnobValue& knob) { return knob.name == "parts"; });
  const KnobConfig whole = with_new_knobs(of_two, older);
  EXPECT_THAT(whole.knobs.back().value, Eq(Argument::of_int(1))) << "as kernels were then";
}

TEST(OwnTasks, GiveKnobsThatAConfigLacksTheirDefaults) {
  const std::vector<ModelTask> tasks = *own_tasks(own_task_model_of(kConvolution), avx512());
  const TunableTask tunable = *tunable_task(tasks.front().task, 0);
  const KnobConfig default_config = *config_at(tunable.space, tunable.opening.front());
  KnobConfig older = *config_at(tunable.space, 0);
  const KnobConfig whole = older;
  std::erase_if(older.knobs, [](const KnobValue& knob) { return knob.name == "band"; });
  EXPECT_FALSE(index_of(tunable.space, older));
  const Result<uint64_t> config = index_of(tunable.space, with_new_knobs(tunable, older));
  ASSERT_TRUE(config) << to_text(config.error());
  const KnobConfig completed = *config_at(tunable.space, *config);
  for (size_t i = 0; i < whole.knobs.size(); ++i) {
    const KnobConfig& from = whole.knobs[i].name == "band" ? default_config : whole;
    EXPECT_THAT(completed.knobs[i].value, Eq(from.knobs[i].value)) << whole.knobs[i].name;
  }
  older.knobs.push_back({"bind", "ot", Argument::of_int(1)});
  EXPECT_FALSE(index_of(tunable.space, with_new_knobs(tunable, older))) << "no such knob";
}

TEST(OwnTasks, AreRefusedWhenTheirArgumentsAreNone) {
  const auto reason = [](Task task) {
    const auto spec = spec_of_task(task);
    EXPECT_FALSE(spec);
    return spec ? "" : to_text(spec.error());
  };
  const Task good = own_tasks(own_task_model_of(kConvolution), avx512()).value().front().task;
  Task bad = good;
  bad.arguments.pop_back();
  EXPECT_THAT(reason(bad), HasSubstr("a list of channel blocks"));
  bad = good;
  bad.arguments[1].items.pop_back();
  EXPECT_THAT(reason(bad), HasSubstr("for every operand"));
  bad = good;
  bad.arguments[0].text = "conv3d 1x2";
  EXPECT_THAT(reason(bad), HasSubstr("conv3d"));
  bad = good;
  bad.name = "conv2d_winograt.opbench";
  EXPECT_THAT(reason(bad), HasSubstr("conv2d_winograd"));
  bad = good;
  bad.name = "dense.opbench";
  EXPECT_THAT(reason(bad), HasSubstr("does not take this workload"));
}

/// A log of two trials of one task and a failure, made of the configs 0, 1, 2.
class BestKernelsTest : public testing::Test {
 protected:
  void SetUp() override {
    task_ =
        *tunable_task(own_tasks(own_task_model_of(kConvolution), avx512()).value().back().task, 0);
    TrialLog log = std::move(TrialLog::open(path_).value());
    append(log, 0, 3e-3);
    append(log, 1, 2e-3);
    append(log, 2, std::nullopt);
  }

  void append(TrialLog& log, uint64_t index, std::optional<double> cost_s) {
    Trial trial{.config = *config_at(task_.space, index)};
    if (cost_s) trial.costs_s = {*cost_s};
    if (!cost_s) trial.failure = Failure{FailureKind::kRunError, "crashed"};
    ASSERT_TRUE(log.append(record_of(task_, trial)));
  }

  TemporaryFolder folder_ = std::move(TemporaryFolder::make().value());
  std::filesystem::path path_ = folder_.path() / "t.log";
  TunableTask task_;
};

TEST_F(BestKernelsTest, TakesTheFastestTrial) {
  const auto choices = best_kernels(path_.string(), avx512());
  ASSERT_TRUE(choices) << to_text(choices.error());
  ASSERT_THAT(*choices, SizeIs(1));
  EXPECT_THAT(choices->front().workload, Eq(kConvolution));
  EXPECT_THAT(choices->front().schedule, Eq("conv2d_direct"));
  EXPECT_THAT(choices->front().origin, Eq(path_.string() + ":2"));
  EXPECT_THAT(choices->front().config, Eq(candidate_of(task_, *config_at(task_.space, 1))->config));
}

TEST_F(BestKernelsTest, KeepsTheDefaultKernelWhenLittleIsGained) {
  const TunableTask tunable =
      *tunable_task(own_tasks(own_task_model_of(kConvolution), avx512()).value().front().task, 0);
  TrialLog log = std::move(TrialLog::open(path_).value());
  Trial trial{.config = *config_at(tunable.space, tunable.opening.front()), .costs_s = {2.03e-3}};
  ASSERT_TRUE(log.append(record_of(tunable, trial)));
  const auto choices = best_kernels(path_.string(), avx512());
  ASSERT_TRUE(choices) << to_text(choices.error());
  ASSERT_THAT(*choices, SizeIs(1));
  EXPECT_THAT(choices->front().schedule, Eq("conv2d_winograd"));
  EXPECT_THAT(choices->front().origin, Eq(path_.string() + ":4"));
}

TEST_F(BestKernelsTest, RefusesALogOfAnotherTarget) {
  const auto choices = best_kernels(path_.string(), *parse_target("llvm -mcpu=core-avx2"));
  ASSERT_FALSE(choices);
  EXPECT_THAT(choices.error().code, Eq(ErrorCode::kInvalidInput));
  EXPECT_THAT(to_text(choices.error()), HasSubstr("skylake-avx512"));
}

}  // namespace
}  // namespace opbench
