#include "tuning/trials/trial_builder.h"

#include <gmock/gmock.h>

#include <map>

#include "base/files/file.h"
#include "kernels/tasks/task_arguments.h"
#include "tuning/trials/candidate.h"

namespace opbench {
namespace {

TunableTask trial_builder_dense_task() {
  const AnchorCall call{.op = "nn.dense",
                        .data = {DataType::kFloat32, {4, 8}},
                        .weight = {DataType::kFloat32, {12, 8}}};
  return *tunable_task({"dense_nopack.x86", dense_arguments(call), host_target()}, 0);
}

std::shared_ptr<const Model> trial_builder_model_of(const Workload& workload) {
  auto model = std::make_shared<Model>();
  model->opset = workload.opset;
  model->graph = workload.graph;
  std::erase_if(model->graph.inputs,
                [&](const Value& value) { return workload.is_weight(value.name); });
  for (const std::string& name : workload.weights) {
    model->graph.constants[name] = Tensor::empty(workload.graph.types.at(name));
  }
  return model;
}

class TrialBuilderTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.worker = {OPBENCH_BINARY_DIR "/opbench", "build-worker"};
    options_.cpus = {0, 0};
    options_.packages = folder_.path() / "packages";
    options_.objects = folder_.path() / "objects";
    std::filesystem::create_directories(options_.packages);
  }

  /// Builds configs 0 to count - 1; the failure of each, none for a package.
  std::map<uint64_t, std::optional<Failure>> build(uint64_t count) {
    const TunableTask task = trial_builder_dense_task();
    const auto model = trial_builder_model_of(task.workload);
    TrialBuilder builder(options_);
    for (uint64_t index = 0; index < count; ++index) {
      builder.add({index, *candidate_of(task, *config_at(task.space, index)), model});
    }
    std::map<uint64_t, std::optional<Failure>> failures;
    while (const auto built = builder.take()) {
      failures[built->index] = built->failure;
      EXPECT_EQ(std::filesystem::exists(built->package / "program.json"),
                !built->failure.has_value());
      TrialBuilder::discard(*built);
    }
    EXPECT_EQ(failures.size(), count);
    return failures;
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  TrialBuilderOptions options_;
};

TEST_F(TrialBuilderTest, BuildsAPackageForEveryConfig) {
  for (const auto& [index, failure] : build(6)) EXPECT_FALSE(failure) << index;
}

TEST_F(TrialBuilderTest, WaitsUntilAllIsBuilt) {
  const TunableTask task = trial_builder_dense_task();
  const auto model = trial_builder_model_of(task.workload);
  TrialBuilder builder(options_);
  builder.wait_until_built();
  for (uint64_t index = 0; index < 5; ++index) {
    builder.add({index, *candidate_of(task, *config_at(task.space, index)), model});
  }
  EXPECT_TRUE(builder.take());
  builder.wait_until_built();
  const TrialBuilder::Quiet quiet(builder);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(builder.take());
  EXPECT_FALSE(builder.take());
}

TEST_F(TrialBuilderTest, LosesOneTrialToACompilerThatCrashesOrTakesAllMemory) {
  options_.time_limit = Seconds(600);
  options_.faults = {{1, "crash"}, {3, "out-of-memory"}};
  const auto failures = build(6);
  for (const uint64_t index : {0, 2, 4, 5}) EXPECT_FALSE(failures.at(index)) << index;
  ASSERT_TRUE(failures.at(1) && failures.at(3));
  EXPECT_EQ(failures.at(1)->kind, FailureKind::kBuildError);
  EXPECT_THAT(failures.at(1)->text, testing::HasSubstr("SIGSEGV"));
  EXPECT_EQ(failures.at(3), (Failure{FailureKind::kBuildError, "out of memory"}));
}

TEST_F(TrialBuilderTest, LosesOneTrialToACompilerThatHangs) {
  options_.time_limit = Seconds(1);
  options_.faults = {{1, "hang"}};
  const auto failures = build(3);
  ASSERT_TRUE(failures.at(1));
  EXPECT_EQ(failures.at(1)->kind, FailureKind::kBuildTimeout);
  // A slow machine may need as long for any of them.
  for (const uint64_t index : {0, 2}) {
    const auto& failure = failures.at(index);
    EXPECT_TRUE(!failure || failure->kind == FailureKind::kBuildTimeout) << index;
  }
}

TEST_F(TrialBuilderTest, SaysThatTheCompilerCannotBeLoadedIntoTooLittleMemory) {
  options_.memory_bytes = 64ULL << 20;  // less than its libraries take
  for (const auto& [index, failure] : build(3)) {
    ASSERT_TRUE(failure) << index;
    EXPECT_EQ(failure->kind, FailureKind::kUnsupported) << failure->text;
    EXPECT_THAT(failure->text, testing::HasSubstr("cannot load the library"));
  }
}

}  // namespace
}  // namespace opbench
