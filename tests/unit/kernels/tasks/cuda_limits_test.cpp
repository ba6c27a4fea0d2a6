#include "kernels/tasks/templates/cuda/cuda_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "task_maker.h"

namespace opbench {
namespace {

using test::batch_matmul;
using test::dense;
using test::plain_conv;

Task on_cuda(const std::string& name, const std::vector<Argument>& arguments) {
  return {name, arguments, Target{.kind = "cuda"}};
}

GpuDemands demands_of(const Task& task) { return GpuDemands::make(task).value().value(); }

/// Percent of the space that can be built: of every config, or of as many drawn at random.
double percent_valid(const Task& task, int drawn) {
  const ConfigSpace space = space_of(task).value();
  const GpuDemands demands = demands_of(task);
  const uint64_t size = size_of(space).value();
  Random random(3);
  int valid = 0;
  for (int i = 0; i < drawn; ++i) {
    const auto digits = digits_of(space, random.below(size)).value();
    if (can_be_met(demands.at(digits))) ++valid;
  }
  return 100.0 * valid / drawn;
}

TEST(GpuDemands, CountEveryValidConfigOfADenseLayer) {
  const Task task = on_cuda("dense_large_batch.gpu", dense(128, 3072, 768));
  const ConfigSpace space = space_of(task).value();
  const GpuDemands demands = demands_of(task);
  std::vector<size_t> digits(3);
  int64_t valid = 0;
  for (digits[2] = 0; digits[2] < space.knobs[2].entities.size(); ++digits[2]) {
    for (digits[1] = 0; digits[1] < space.knobs[1].entities.size(); ++digits[1]) {
      for (digits[0] = 0; digits[0] < space.knobs[0].entities.size(); ++digits[0]) {
        if (can_be_met(demands.at(digits))) ++valid;
      }
    }
  }
  EXPECT_EQ(valid, 501609);
}

TEST(GpuDemands, LeaveTheKnownShareOfEachSpace) {
  const auto direct = [](const test::Conv& conv) {
    return percent_valid(on_cuda("conv2d_nchw.cuda", plain_conv(conv)), 40000);
  };
  EXPECT_NEAR(direct({64, 56, 64, 3, 1, 1}), 63, 1.2);
  EXPECT_NEAR(direct({512, 7, 512, 3, 1, 1}), 51, 1.2);
  EXPECT_NEAR(direct({3, 224, 64, 7, 2, 3}), 50, 1.2);
  EXPECT_NEAR(direct({256, 14, 512, 1, 2, 0}), 66, 1.2);
  const auto large = [](int64_t columns, int64_t depth) {
    return percent_valid(on_cuda("dense_large_batch.gpu", dense(128, columns, depth)), 40000);
  };
  EXPECT_NEAR(large(768, 768), 4.4, 0.4);
  EXPECT_NEAR(large(768, 3072), 3.0, 0.4);
}

TEST(GpuDemands, AreThoseOfTheTemplate) {
  const auto of = [](const Task& task, std::vector<test::Ints> splits) {
    KnobConfig config = config_at(space_of(task).value(), 0).value();
    for (size_t i = 0; i < splits.size(); ++i) config.knobs[i].value = test::ints(splits[i]);
    return demands_of(task).of(config).value();
  };
  EXPECT_EQ(of(on_cuda("conv2d_nchw.cuda", plain_conv({64, 56, 64, 3, 2, 1})),
               {{-1, 2, 8, 1}, {-1, 1, 4, 1}, {-1, 1, 7, 2}, {-1, 4}, {-1, 1}, {-1, 3}}),
            (GpuDemand{7, 4, 8, 4 * (4 * 7 * 29 + 16 * 4 * 3)}));
  EXPECT_EQ(of(on_cuda("conv2d_nchw_winograd.cuda", plain_conv({64, 56, 64, 3, 1, 1})),
               {{-1, 1, 1, 1}, {-1, 2, 8, 2}, {-1, 1, 14, 7}, {-1, 16}}),
            (GpuDemand{14, 8, 1, 4 * 16 * (98 + 32)}));
  EXPECT_EQ(of(on_cuda("dense_large_batch.gpu", dense(128, 768, 768)),
               {{-1, 2, 16, 2}, {-1, 2, 8, 2}, {-1, 8, 1}}),
            (GpuDemand{16, 8, 1, 8 * 8 * (64 + 32), false}));
  EXPECT_EQ(of(on_cuda("batch_matmul.cuda", batch_matmul(12, 128, 128, 64)),
               {{-1, 8, 2}, {-1, 16, 4}, {-1, 8}}),
            (GpuDemand{16, 8, 1, 4 * 8 * (64 + 16)}));
  EXPECT_EQ(of(on_cuda("dense_small_batch.gpu", dense(1, 1000, 2048)), {{-1, 2048}}),
            (GpuDemand{.threads_x = 2048}));
}

/// Logs may hold any sizes.
TEST(GpuDemands, DoNotOverflow) {
  const Task task = on_cuda("conv2d_nchw.cuda", plain_conv({64, 56, 64, 3, 1, 1}));
  KnobConfig config = config_at(space_of(task).value(), 0).value();
  for (size_t i = 0; i < 6; ++i) {
    for (Argument& size : config.knobs[i].value.items) size.integer = int64_t{1} << 62;
  }
  const GpuDemand demand = demands_of(task).of(config).value();
  EXPECT_FALSE(can_be_met(demand));
  EXPECT_GT(demand.shared_bytes, int64_t{1} << 40);
}

TEST(GpuDemands, SayWhatIsTooMuch) {
  EXPECT_EQ(fault_of({16, 16, 4, 49152}), "");
  EXPECT_EQ(fault_of({32, 16, 4}), "2048 threads of 1024");
  EXPECT_EQ(fault_of({1, 1, 128}), "128 threads of 64 along z");
  EXPECT_EQ(fault_of({1, 1, 1, 49153}), "49153 bytes of shared memory of 49152");
  EXPECT_EQ(fault_of({16, 8, 1, 0, false}), "loads want 16 and 8 threads along one axis");
  EXPECT_EQ(fault_of({512, 1, 1}, {.threads = 256}), "512 threads of 256");
}

TEST(GpuDemands, AreUnknownForOtherTemplates) {
  EXPECT_FALSE(GpuDemands::make(on_cuda("conv2d_hwcn.cuda", {})));
  const auto unknown = GpuDemands::make(on_cuda("dense.mali", dense(1, 1000, 512)));
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->has_value());
  const Task task = on_cuda("batch_matmul.cuda", batch_matmul(12, 128, 128, 64));
  EXPECT_FALSE(demands_of(task).of({}));
}

}  // namespace
}  // namespace opbench
