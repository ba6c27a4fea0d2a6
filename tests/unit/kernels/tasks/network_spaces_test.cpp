#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network_tasks.h"

/// Lengths of the spaces of whole networks, as TVM 0.8 has them.
namespace opbench {
namespace {

using test::batch_matmul;
using test::bert_llvm;
using test::Conv;
using test::dense;
using test::kNchwc;
using test::length;
using test::lstm_llvm;
using test::Named;
using test::nchwc_conv;
using test::plain_conv;
using test::resnet18_convolutions;
using test::resnet18_cuda;
using test::resnet18_llvm;

std::vector<uint64_t> lengths(const std::vector<Named>& tasks, const std::string& target) {
  std::vector<uint64_t> result;
  for (const Named& task : tasks) result.push_back(length(task.name, task.arguments, target));
  return result;
}

TEST(NetworkSpaces, HaveTheirLengths) {
  using L = std::vector<uint64_t>;
  EXPECT_EQ(lengths(resnet18_llvm(), "llvm"),
            (L{308, 980, 980, 896, 896, 1024, 864, 864, 972, 720, 720, 800, 160, 1000}));
  EXPECT_EQ(lengths(resnet18_cuda(), "cuda"),
            (L{79027200, 90316800, 352800, 22579200, 32256000, 8064000, 36864000, 576000, 8110080,
               2027520, 9123840, 89100, 760320, 190080, 844800, 462000, 10}));
  EXPECT_EQ(lengths(bert_llvm(), "llvm"),
            (L{2592, 437400, 448, 448, 3168, 641520, 3168, 534600, 324, 2430}));
  EXPECT_EQ(lengths(lstm_llvm(), "llvm"), (L{143, 1001}));
  const auto small = [](int64_t m, int64_t n, int64_t k) {
    return length("dense_small_batch.gpu", dense(m, n, k), "cuda");
  };
  const auto large = [](int64_t m, int64_t n, int64_t k) {
    return length("dense_large_batch.gpu", dense(m, n, k), "cuda");
  };
  const auto batched = [](int64_t n, int64_t k) {
    return length("batch_matmul.cuda", batch_matmul(12, 128, n, k), "cuda");
  };
  EXPECT_EQ((L{small(128, 768, 768), large(128, 768, 768), batched(128, 64), batched(64, 128),
               small(128, 3072, 768), large(128, 3072, 768), small(128, 768, 3072),
               large(128, 768, 3072), small(1, 768, 768)}),
            (L{18, 10692000, 72576, 64512, 18, 18532800, 22, 15681600, 18}));
}

TEST(NetworkSpaces, HaveTheLengthsOfTheBoard) {
  using test::ints;
  using test::tensor;
  using test::word;
  const Conv stem{3, 224, 64, 7, 2, 3};
  EXPECT_EQ(length("conv2d_nchw_spatial_pack.arm_cpu", plain_conv(stem)), 112000u);
  EXPECT_EQ(length(kNchwc, nchwc_conv(stem)), 308u);
  std::vector<uint64_t> packed;
  for (const Conv& c : resnet18_convolutions()) {
    if (c.in_channels == 3) continue;
    packed.push_back(
        length("conv2d_packed.vta",
               {tensor({1, c.in_channels / 16, c.size, c.size, 1, 16}, "int8"),
                tensor({c.out_channels / 16, c.in_channels / 16, c.taps, c.taps, 16, 16}, "int8"),
                ints({c.stride, c.stride}), ints({c.padding, c.padding, c.padding, c.padding}),
                ints({1, 1}), word("NCHW1n16c"), word("int32")},
               "ext_dev"));
  }
  EXPECT_THAT(packed, testing::UnorderedElementsAre(2304, 2304, 1728, 2304, 1728, 1280, 1600, 1280,
                                                    480, 576, 480));
}

}  // namespace
}  // namespace opbench
