#include "experiments/compare/kernel_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/sessions/request/replay_request.h"
#include "machine/target/parse_target.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A kernel of a log that takes `tuned_ms` where the default config takes `default_ms`.
ContestedKernel contested(const std::string& name, double default_ms, double tuned_ms) {
  ContestedKernel kernel{.unit = name + " 1x64"};
  kernel.choice.workload = name;
  kernel.choice.origin = "r18.log:" + std::to_string(name.size());
  PairedTimes times;
  times.sides.resize(2);
  times.sides[0].median_ms = default_ms;
  times.sides[1].median_ms = tuned_ms;
  times.log_ratios = {{.value = std::log(tuned_ms / default_ms)}};
  kernel.result = PairedItemResult{.times = std::move(times)};
  return kernel;
}

TEST(KernelDecision, KeepsWhatIsNotSlowerThanTheDefault) {
  const KernelDecision decision =
      decision_of({contested("conv", 0.95, 6.36), contested("gemm", 1, 0.8)});
  ASSERT_THAT(decision.kernels, SizeIs(1));
  EXPECT_EQ(decision.kernels[0].workload, "gemm");
  EXPECT_THAT(decision.notes,
              ElementsAre("r18.log:4 is not applied to conv 1x64: 6.36 ms here, the default config "
                          "0.95 ms"));
}

TEST(KernelDecision, AppliesTheDefaultConfigWithoutMeasuringIt) {
  ContestedKernel kernel = contested("conv", 1, 1);
  kernel.result.reset();
  EXPECT_THAT(decision_of({kernel}).kernels, SizeIs(0));
  kernel.is_default = true;
  EXPECT_THAT(decision_of({kernel}).kernels, SizeIs(1));
}

TEST(KernelDecision, KnowsTheDefaultConfigOfAUnit) {
  const Target host = parse_target("host").value();
  const std::string text = "dense 16x64 w:64x64 transB=1";
  KernelSpec spec{.workload = parse_workload(text).value(), .target = host};
  spec.layouts.assign(3, {});
  ASSERT_TRUE(choose_schedule(spec));
  ASSERT_FALSE(spec.config.empty());
  KernelChoice choice{.workload = text, .schedule = spec.schedule, .config = spec.config};
  for (const Layout& layout : spec.layouts) choice.blocks.push_back(layout.block);
  EXPECT_TRUE(is_default_config(choice, host));
  choice.config.begin()->second += 1;
  EXPECT_FALSE(is_default_config(choice, host));
}

TEST(KernelDecision, DoesNotApplyWhatFails) {
  ContestedKernel kernel = contested("conv", 1, 0.5);
  kernel.result = PairedItemResult{.failure = Failure{FailureKind::kRunError, "killed"}};
  kernel.result->failed_side = 1;
  const KernelDecision decision = decision_of({kernel});
  EXPECT_THAT(decision.kernels, SizeIs(0));
  EXPECT_THAT(decision.notes, ElementsAre(HasSubstr("killed")));
  kernel.result->failed_side = 0;
  EXPECT_THAT(decision_of({kernel}).kernels, SizeIs(1));
}

TEST(KernelDecision, NamesTheWorstAndCountsTheRest) {
  std::vector<ContestedKernel> kernels;
  for (int i = 1; i <= 8; ++i) kernels.push_back(contested(std::string(size_t(i), 'x'), 1, 1 + i));
  const KernelDecision decision = decision_of(std::move(kernels));
  ASSERT_THAT(decision.notes, SizeIs(6));
  EXPECT_THAT(decision.notes.front(), HasSubstr("9 ms here"));
  EXPECT_THAT(decision.notes.back(), HasSubstr("3 more kernels"));
}

TEST(KernelDecision, MeasuresNothingWithoutCandidates) {
  std::vector<std::string> notes;
  ProfileRequest request{.model = {.name = "no such model"}};
  request.settings.kernels = {{.workload = "relu 1x4"}};
  const auto decided = with_decided_kernels(request, {1}, notes);
  ASSERT_TRUE(decided);
  EXPECT_THAT(decided->settings.kernels, SizeIs(1));
  request.settings.candidates = {{.workload = "relu 1x4"}};
  request.engines = {"onnxruntime"};
  EXPECT_TRUE(with_decided_kernels(request, {1}, notes));
  request.engines = {"halide"};
  EXPECT_FALSE(with_decided_kernels(request, {1}, notes));
}

TEST(KernelDecision, IsPartOfTheRequestOnceMade) {
  ProfileRequest request{.model = {.name = "m"}};
  request.settings.kernels = {{.workload = "relu 1x4", .origin = "a.log:3", .threads = 2}};
  request.settings.tuning = "a.log sha256:0123456789ab";
  const auto back = parse_request_json(request_json(request));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->settings.kernels, request.settings.kernels);
  EXPECT_EQ(back->settings.tuning, request.settings.tuning);
  EXPECT_TRUE(back->settings.candidates.empty());
  EXPECT_EQ(back->settings.device, "");
  EXPECT_THAT(request_json(request), ::testing::Not(HasSubstr("device")));
  request.settings.device = "pocl:0";
  EXPECT_EQ(parse_request_json(request_json(request))->settings.device, "pocl:0");
  request.settings.tuning.clear();
  EXPECT_THAT(request_json(request), ::testing::Not(HasSubstr("tuning")));
}

}  // namespace
}  // namespace opbench
