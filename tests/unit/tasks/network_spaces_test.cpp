#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "task_maker.h"

/// Spaces of whole networks: lengths of spec/search-space.md 3.5, and TVM's own printed ones.
namespace opbench {
namespace {

using test::batch_matmul;
using test::Conv;
using test::dense;
using test::length;
using test::nchwc_conv;
using test::plain_conv;

struct Named {
  std::string name;
  std::vector<Argument> arguments;
};

constexpr const char* kNchwc = "conv2d_NCHWc.x86";
constexpr const char* kDirect = "conv2d_nchw.cuda";
constexpr const char* kWinograd = "conv2d_nchw_winograd.cuda";

std::vector<Conv> resnet18_convolutions() {
  return {{3, 224, 64, 7, 2, 3},   {64, 56, 64, 3, 1, 1},   {64, 56, 64, 1, 1, 0},
          {64, 56, 128, 3, 2, 1},  {64, 56, 128, 1, 2, 0},  {128, 28, 128, 3, 1, 1},
          {128, 28, 256, 3, 2, 1}, {128, 28, 256, 1, 2, 0}, {256, 14, 256, 3, 1, 1},
          {256, 14, 512, 3, 2, 1}, {256, 14, 512, 1, 2, 0}, {512, 7, 512, 3, 1, 1}};
}

std::vector<Named> resnet18_llvm() {
  std::vector<Named> tasks;
  for (const Conv& conv : resnet18_convolutions()) tasks.push_back({kNchwc, nchwc_conv(conv)});
  tasks.push_back({"dense_nopack.x86", dense(1, 1000, 512)});
  tasks.push_back({"dense_pack.x86", dense(1, 1000, 512)});
  return tasks;
}

std::vector<Named> resnet18_cuda() {
  std::vector<Named> tasks;
  for (const Conv& conv : resnet18_convolutions()) {
    tasks.push_back({kDirect, plain_conv(conv)});
    if (conv.taps == 3 && conv.stride == 1) tasks.push_back({kWinograd, plain_conv(conv)});
  }
  tasks.push_back({"dense_small_batch.gpu", dense(1, 1000, 512)});
  return tasks;
}

std::vector<Named> bert_llvm() {
  std::vector<Named> tasks;
  const auto add_dense = [&](int64_t rows, int64_t columns, int64_t depth) {
    tasks.push_back({"dense_nopack.x86", dense(rows, columns, depth)});
    tasks.push_back({"dense_pack.x86", dense(rows, columns, depth)});
  };
  add_dense(128, 768, 768);
  tasks.push_back({"batch_matmul.x86", batch_matmul(12, 128, 128, 64)});
  tasks.push_back({"batch_matmul.x86", batch_matmul(12, 128, 64, 128)});
  add_dense(128, 3072, 768);
  add_dense(128, 768, 3072);
  add_dense(1, 768, 768);
  return tasks;
}

std::vector<Named> lstm_llvm() {
  return {{"dense_nopack.x86", dense(1, 4096, 1024)}, {"dense_pack.x86", dense(1, 4096, 1024)}};
}

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

class PrintedSpaces : public testing::TestWithParam<const char*> {};

TEST_P(PrintedSpaces, AreThoseOfTvm) {
  const std::string network = GetParam();
  const auto path =
      std::filesystem::path(OPBENCH_SHARED_DATA) / "opbench/space" / (network + ".txt");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  std::ostringstream wanted;
  wanted << std::ifstream(path).rdbuf();
  const bool is_cuda = network.ends_with("cuda");
  const auto tasks = network == "resnet-18-llvm"   ? resnet18_llvm()
                     : network == "resnet-18-cuda" ? resnet18_cuda()
                     : network == "bert-llvm"      ? bert_llvm()
                                                   : lstm_llvm();
  std::string text;
  for (const Named& task : tasks) {
    text += printed(test::space_of_task(task.name, task.arguments, is_cuda ? "cuda" : "llvm"));
  }
  EXPECT_EQ(text, wanted.str());
}

INSTANTIATE_TEST_SUITE_P(Networks, PrintedSpaces,
                         testing::Values("resnet-18-llvm", "resnet-18-cuda", "bert-llvm",
                                         "lstm-llvm"));

}  // namespace
}  // namespace opbench
