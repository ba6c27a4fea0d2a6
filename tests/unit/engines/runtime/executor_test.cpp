#include "engines/runtime/executor.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstring>

#include "base/files/file.h"
#include "base/tensors/tensor_difference.h"
#include "small_program.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor floats(const Shape& shape, const std::vector<float>& values) {
  return Tensor::of<float>(DataType::kFloat32, shape, values);
}

std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.as<float>().begin(), tensor.as<float>().end()};
}

/// A package of `small_program` with w = 0, 1, … 5.
class LoadedExecutor : public ::testing::Test {
 protected:
  LoadedExecutor() : folder_(std::move(*TemporaryFolder::make())) {}

  void write(const Program& program) {
    std::string weights(static_cast<size_t>(small_program().weight_bytes), '\0');
    for (int i = 0; i < 6; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(weights.data() + 64 + 4 * i, &value, 4);
    }
    ASSERT_TRUE(write_file(folder_.path() / "weights.bin", weights));
    ASSERT_TRUE(write_file(folder_.path() / "program.json", to_json(program).dump()));
  }

  Result<std::unique_ptr<Executor>> load(ExecutorOptions options = {}) {
    return Executor::load(folder_.path(), std::move(options));
  }

  TemporaryFolder folder_;
};

TEST_F(LoadedExecutor, RunsStepsInOrderAndKeepsItsInputs) {
  write(small_program());
  for (const size_t shift : {0, 64, 4032}) {
    auto executor = load({.threads = 2, .shift_bytes = shift});
    ASSERT_TRUE(executor) << to_text(executor.error());
    ASSERT_TRUE((*executor)->set_input(0, floats({1, 6}, {-9, 1, -9, 1, -4, 0.5F})));
    for (int run = 0; run < 3; ++run) {
      EXPECT_EQ((*executor)->run(), 0);
      EXPECT_THAT(values_of((*executor)->output(0)), ElementsAre(0, 2, 0, 4, 0, 5.5F));
    }
  }
}

TEST_F(LoadedExecutor, GivesBackItsInputs) {
  write(small_program());
  auto executor = load({.shift_bytes = 64});
  ASSERT_TRUE(executor) << to_text(executor.error());
  const Tensor given = floats({1, 6}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE((*executor)->set_input(0, given));
  EXPECT_EQ((*executor)->run(), 0);
  EXPECT_EQ((*executor)->input(0), given);
}

TEST_F(LoadedExecutor, TimesEveryStep) {
  write(small_program());
  auto executor = load();
  ASSERT_TRUE(executor) << to_text(executor.error());
  std::vector<double> step_s(2, -1);
  EXPECT_EQ((*executor)->run_timed(step_s), 0);
  for (const double seconds : step_s) EXPECT_GE(seconds, 0);
}

TEST_F(LoadedExecutor, RefusesAnInputOfAnotherType) {
  write(small_program());
  auto executor = load();
  ASSERT_TRUE(executor) << to_text(executor.error());
  const auto set = (*executor)->set_input(0, floats({6}, {1, 2, 3, 4, 5, 6}));
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message, "input \"x\" is float32 1x6, got float32 6");
}

TEST_F(LoadedExecutor, GivesAStepBuffersOfItsOwn) {
  write(small_program());
  auto executor = load();
  ASSERT_TRUE(executor) << to_text(executor.error());
  ASSERT_TRUE((*executor)->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
  ASSERT_EQ((*executor)->run(), 0);
  const Tensor before = (*executor)->output(0);
  for (const size_t step : {0, 1}) {
    const auto alone = (*executor)->alone(step);
    ASSERT_TRUE(alone) << to_text(alone.error());
    EXPECT_EQ((*alone)->run(), 0);
    EXPECT_EQ(*(*executor)->alone(step), *alone) << "made once";
  }
  EXPECT_EQ((*executor)->output(0), before);
  EXPECT_FALSE((*executor)->alone(2));
}

TEST_F(LoadedExecutor, NamesTheMemoryOfWhatIsNoWeight) {
  write(small_program());
  auto executor = load();
  ASSERT_TRUE(executor) << to_text(executor.error());
  EXPECT_GE((*executor)->activations().size(), small_program().arena_bytes);
  EXPECT_TRUE((*executor)->activations(0).empty()) << "not made yet";
  ASSERT_TRUE((*executor)->alone(0));
  EXPECT_GE((*executor)->activations(0).size(), 2 * 6 * sizeof(float));
  EXPECT_TRUE((*executor)->activations(2).empty());
}

TEST_F(LoadedExecutor, ChecksAStepOnGivenOperands) {
  write(small_program());
  auto executor = load();
  ASSERT_TRUE(executor) << to_text(executor.error());
  const auto sum = (*executor)->run_checked(0, {floats({1, 6}, {1, 1, 1, 1, 1, 1})});
  ASSERT_TRUE(sum) << to_text(sum.error());
  EXPECT_THAT(values_of(*sum), ElementsAre(1, 2, 3, 4, 5, 6));
  const auto relu = (*executor)->run_checked(1, {floats({1, 6}, {1, -1, 2, -2, 3, -3})});
  ASSERT_TRUE(relu) << to_text(relu.error());
  EXPECT_THAT(values_of(*relu), ElementsAre(1, 0, 2, 0, 3, 0));
}

TEST_F(LoadedExecutor, ChecksNoStepOnOperandsThatDoNotFit) {
  write(small_program());
  auto executor = load();
  ASSERT_TRUE(executor) << to_text(executor.error());
  const auto none = (*executor)->run_checked(1, {});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text, HasSubstr("\"sum\", float32 1x6"));
  EXPECT_FALSE((*executor)->run_checked(1, {floats({6}, {1, 2, 3, 4, 5, 6})}));
}

TEST_F(LoadedExecutor, SeesAStepThatWritesOutOfBounds) {
  write(small_program());
  auto executor = load({.fault_step = 1, .fault = Fault::kOutOfBounds});
  ASSERT_TRUE(executor) << to_text(executor.error());
  EXPECT_TRUE((*executor)->run_checked(0, {floats({1, 6}, {1, 1, 1, 1, 1, 1})}));
  const auto checked = (*executor)->run_checked(1, {floats({1, 6}, {1, 1, 1, 1, 1, 1})});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error(), (Failure{FailureKind::kRunError, "wrote outside of its buffers"}));
}

TEST_F(LoadedExecutor, CanMakeAStepWrong) {
  write(small_program());
  auto executor = load({.fault_step = 0, .fault = Fault::kWrong});
  ASSERT_TRUE(executor) << to_text(executor.error());
  const auto checked = (*executor)->run_checked(0, {floats({1, 6}, {0, 0, 0, 0, 0, 0})});
  ASSERT_TRUE(checked) << to_text(checked.error());
  EXPECT_GT(max_relative_error(*checked, floats({1, 6}, {0, 1, 2, 3, 4, 5})), 0.1);
  EXPECT_EQ((*executor)->run(), 0);
}

TEST_F(LoadedExecutor, CanSwapTwoChannelsOfAResult) {
  write(small_program());
  auto executor = load({.fault_step = 1, .fault = Fault::kSwapChannels});
  ASSERT_TRUE(executor) << to_text(executor.error());
  const auto checked = (*executor)->run_checked(1, {floats({1, 6}, {1, 2, 3, 4, 5, 6})});
  ASSERT_TRUE(checked) << to_text(checked.error());
  EXPECT_EQ(*checked, floats({1, 6}, {2, 1, 3, 4, 5, 6}));
}

TEST_F(LoadedExecutor, CanMakeAStepSlowWithoutChangingItsResult) {
  write(small_program());
  auto executor = load({.fault_step = 1, .fault = Fault::kSlow, .slow_share = 10});
  ASSERT_TRUE(executor) << to_text(executor.error());
  const auto alone = (*executor)->alone(1);
  ASSERT_TRUE(alone) << to_text(alone.error());
  EXPECT_GT((*alone)->extra_steps(), 0);
  EXPECT_EQ((*(*executor)->alone(0))->extra_steps(), 0);
  const auto checked = (*executor)->run_checked(1, {floats({1, 6}, {1, -1, 2, -2, 3, -3})});
  ASSERT_TRUE(checked) << to_text(checked.error());
  EXPECT_EQ(*checked, floats({1, 6}, {1, 0, 2, 0, 3, 0}));
}

TEST_F(LoadedExecutor, RefusesAFolderThatIsNoPackage) {
  EXPECT_EQ(load().error().code, ErrorCode::kInvalidInput);
  ASSERT_TRUE(write_file(folder_.path() / "program.json", "{\"schema\": "));
  EXPECT_EQ(load().error().code, ErrorCode::kInvalidInput);
  write(small_program());
  ASSERT_TRUE(write_file(folder_.path() / "weights.bin", "short"));
  EXPECT_THAT(load().error().message, HasSubstr("weights.bin"));
  std::filesystem::remove(folder_.path() / "weights.bin");
  EXPECT_FALSE(load());
}

TEST_F(LoadedExecutor, RefusesKernelsThatItCannotLoad) {
  Program program = small_program();
  program.steps[1].symbol = "k_0123";
  write(program);
  EXPECT_THAT(load().error().message, HasSubstr("\"k_0123_argv\""));
  ASSERT_TRUE(write_file(folder_.path() / "kernels.so", "no library"));
  EXPECT_THAT(load().error().message, HasSubstr("cannot load kernels"));
}

TEST_F(LoadedExecutor, RefusesAStepWithAnotherNumberOfOperands) {
  Program program = small_program();
  program.steps[0].arguments = {0};
  write(program);
  const auto loaded = load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "\"add 1x6 w:6\" takes 2 operands, got 1");
}

TEST(HostKernel, RunsAChainWithResultsInBetween) {
  std::vector<float> x = {-1, 2, -3, 4};
  std::vector<float> w = {10, 10, 10, 10};
  std::vector<float> y(4);
  auto kernel =
      HostKernel::make("abs 1x4; mul w:4; clip =0 =25; neg", {x.data(), w.data()}, y.data());
  ASSERT_TRUE(kernel) << to_text(kernel.error());
  HostKernel moved = std::move(*kernel);
  ASSERT_TRUE(moved.run());
  EXPECT_THAT(y, ElementsAre(-10, -20, -25, -25));
  x[0] = 0.5F;
  ASSERT_TRUE(moved.run());
  EXPECT_THAT(y, ElementsAre(-5, -20, -25, -25));
}

TEST(HostKernel, RefusesWhatIsNoWorkload) {
  EXPECT_FALSE(HostKernel::make("frobnicate 1x4", {nullptr}, nullptr));
  EXPECT_FALSE(HostKernel::make("relu 1x4", {}, nullptr));
  EXPECT_FALSE(HostKernel::make("relu 1x4", {nullptr, nullptr}, nullptr));
}

TEST(Fault, IsReadFromItsWord) {
  EXPECT_EQ(parse_fault("crash"), Fault::kCrash);
  EXPECT_EQ(parse_fault("hang"), Fault::kHang);
  EXPECT_EQ(parse_fault("out-of-bounds"), Fault::kOutOfBounds);
  EXPECT_EQ(parse_fault("wrong"), Fault::kWrong);
  EXPECT_EQ(parse_fault("swap-channels"), Fault::kSwapChannels);
  EXPECT_EQ(parse_fault("slow-3"), Fault::kSlow);
  EXPECT_EQ(parse_fault("slow-0"), Fault::kNone);
  EXPECT_EQ(parse_fault("nothing"), Fault::kNone);
}

}  // namespace
}  // namespace opbench
