#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/files/file.h"
#include "device_text.h"
#include "kernel_harness.h"
#include "kernels/schedules/codegen/register_limit.h"
#include "machine/target/parse_target.h"

// PTX of kernels for CUDA. What they compute is shown for OpenCL, whose kernels are made of the
// same loops.

namespace opbench {
namespace {

using ::testing::HasSubstr;

/// The PTX of the default kernel, or what is wrong with it.
std::string ptx_of(const std::string& workload, const std::string& target = "cuda -arch=sm_75",
                   const std::string& schedule = "", const Config& config = {}) {
  auto spec = kernel_spec(workload, target, schedule, false);
  if (!spec) return to_text(spec.error());
  for (const auto& [knob, value] : config) spec->config[knob] = value;
  const auto folder = TemporaryFolder::make();
  const std::filesystem::path object = folder->path() / "kernel.o";
  const auto compiled = compile_kernel(*spec, "kernel", object);
  if (!compiled) return to_text(compiled.error());
  const auto text = ptx_text_of(object);
  return text ? *text : to_text(text.error());
}

/// Without printing the whole text where it says something else.
bool says(const std::string& ptx, const std::string& words) {
  return ptx.find(words) != std::string::npos;
}

TEST(CudaKernels, AreOfTheTargetsGeneration) {
  for (const auto& [target, made] :
       {std::pair("cuda -arch=sm_35", "sm_35"), std::pair("cuda", "sm_50"),
        std::pair("cuda -arch=sm_75", "sm_75"), std::pair("nvptx -arch=sm_90", "sm_86")}) {
    EXPECT_TRUE(says(ptx_of("relu 1x64", target), std::string(".target ") + made + "\n"));
  }
}

TEST(CudaKernels, RoundToEven) { EXPECT_TRUE(says(ptx_of("round 64"), "cvt.rni")); }

/// A comparison would become `max`, whose result is the other number where one is NaN.
TEST(CudaKernels, KeepNaN) {
  const std::string ptx = ptx_of("relu 64");
  EXPECT_TRUE(says(ptx, "2139095040")) << "infinity's bits";
  EXPECT_TRUE(says(ptx, "selp"));
}

TEST(CudaKernels, SayTheRegistersOfTheirBlocks) {
  EXPECT_TRUE(says(ptx_of("relu 1x4096"), ".maxnreg 255\n{"));
  const Config large = {{"tile_x", 1}, {"tile_x_1", 1}, {"tile_x_2", 32},
                        {"tile_y", 1}, {"tile_y_1", 1}, {"tile_y_2", 32}};
  const std::string ptx =
      ptx_of("dense 64x8 w:64x8 transB=1", "cuda -arch=sm_75", "dense_large_batch_gpu", large);
  EXPECT_TRUE(says(ptx, ".maxnreg 64\n{"));
}

TEST(CudaKernels, NeedNothingThatTheirPtxLacks) {
  for (const char* workload :
       {"gelu 5x77", "pow 40 =2; exp", "clip 1x32x9x9 =0 =6; round", "softmax 3x70",
        "layer_norm 4x96 w:96 w:96 axis=-1", "lrn 1x8x5x5 size=5",
        "max_pool 1x65x13x13 kernel_shape=3,3 strides=2,2 pads=1,1,1,1",
        "global_average_pool 1x65x7x7", "transpose 3x4x5 perm=2,0,1", "matmul 2x3x20x31 2x3x31x45",
        "conv2d 2x32x9x9 w:32x1x3x3 w:32 group=32 pads=1,1,1,1"}) {
    const std::string ptx = ptx_of(workload);
    EXPECT_TRUE(says(ptx, ".entry ")) << workload;
    EXPECT_FALSE(says(ptx, ".extern")) << workload;
    EXPECT_FALSE(says(ptx, ".local")) << workload << ": an array in memory";
  }
}

std::string default_schedule(const std::string& workload, const std::string& target) {
  const auto spec = kernel_spec(workload, target, "", false);
  return spec ? spec->schedule : to_text(spec.error());
}

TEST(CudaKernels, StageOperandsByDefault) {
  const std::string conv = "conv2d 1x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1; relu";
  const std::string grouped = "conv2d 1x32x9x9 w:32x1x3x3 group=32 pads=1,1,1,1";
  const std::string dense = "dense 8x512 w:1000x512 w:1000 transB=1";
  EXPECT_EQ(default_schedule(conv, "cuda"), "conv2d_staged_gpu");
  EXPECT_EQ(default_schedule(grouped, "cuda"), "convolution_gpu");
  EXPECT_EQ(default_schedule(dense, "cuda"), "dense_staged_gpu");
  EXPECT_EQ(default_schedule(conv, "opencl"), "convolution_gpu");
  EXPECT_EQ(default_schedule(dense, "opencl"), "product_gpu");
}

/// Of ResNet-18 and others: images from 224 to 7 pixels, strides, single channels.
TEST(CudaKernels, StageConvolutionsWithinTheLimitsOfABlock) {
  for (const char* workload :
       {"conv2d 1x3x224x224 w:64x3x7x7 strides=2,2 pads=3,3,3,3",
        "conv2d 1x64x56x56 w:128x64x3x3 strides=2,2 pads=1,1,1,1",
        "conv2d 1x512x7x7 w:512x512x3x3 pads=1,1,1,1", "conv2d 1x256x14x14 w:512x256x1x1",
        "conv2d 1x1x1x1 w:1x1x1x1", "conv2d 1x5x13x13 w:7x5x11x11", "conv2d 8x3x32x32 w:1x3x3x3"}) {
    const auto spec = kernel_spec(workload, "cuda", "conv2d_staged_gpu", false);
    ASSERT_TRUE(spec) << workload << to_text(spec.error());
    const auto checked = check_spec(*spec);
    EXPECT_TRUE(checked) << workload << to_text(checked.error());
  }
}

/// NVIDIA's assembler, which comes with the toolkit; empty: there is none.
std::string ptxas() {
  for (const char* place : {"ptxas", "/usr/local/cuda/bin/ptxas"})
    if (std::system((std::string(place) + " --version > /dev/null 2>&1").c_str()) == 0)
      return place;
  return "";
}

/// What the assembler says of the kernel for this generation.
std::string assembled(const std::string& ptx, const std::string& arch) {
  const auto folder = TemporaryFolder::make();
  const std::string file = (folder->path() / "kernel.ptx").string();
  const std::string words = (folder->path() / "words").string();
  EXPECT_TRUE(write_file(file, ptx));
  const std::string command =
      ptxas() + " -v -arch=" + arch + " -o /dev/null " + file + " > " + words + " 2>&1";
  static_cast<void>(std::system(command.c_str()));
  return read_file(words).value_or("");
}

TEST(CudaKernels, HaveNoStackWhereTheyAreAssembled) {
  if (ptxas().empty()) GTEST_SKIP() << "no ptxas, which comes with CUDA's toolkit";
  for (const char* workload : {"conv2d 1x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1; relu",
                               "conv2d 1x3x224x224 w:64x3x7x7 w:64 strides=2,2 pads=3,3,3,3; relu",
                               "dense 128x768 w:3072x768 w:3072 transB=1"}) {
    for (const char* arch : {"sm_80", "sm_90"}) {
      const std::string words =
          assembled(ptx_of(workload, std::string("cuda -arch=") + arch), arch);
      EXPECT_THAT(words, HasSubstr("0 bytes stack frame, 0 bytes spill stores")) << workload;
    }
  }
}

int64_t registers_of(const char* target, int64_t threads) {
  return most_registers(parse_target(target).value(), threads);
}

TEST(RegisterLimit, LetsABlockStart) {
  EXPECT_EQ(registers_of("cuda", 1024), 64);
  EXPECT_EQ(registers_of("cuda", 512), 128);
  EXPECT_EQ(registers_of("cuda", 384), 168);
  EXPECT_EQ(registers_of("cuda", 256), 255);
  EXPECT_EQ(registers_of("cuda", 0), 64);
  EXPECT_EQ(registers_of("cuda -arch=sm_30", 64), 63) << "of Kepler's first";
  EXPECT_EQ(registers_of("cuda -arch=sm_53", 512), 64) << "half as many a block";
}

TEST(RegisterLimit, StandsBeforeTheBodyOfAnEntry) {
  const std::string ptx = ".visible .entry a(\n.param .u64 p\n)\n{\nret;\n}\n";
  const std::string limited = with_register_limit(ptx, "a", 96);
  EXPECT_EQ(limited, ".visible .entry a(\n.param .u64 p\n)\n.maxnreg 96\n{\nret;\n}\n");
  EXPECT_EQ(with_register_limit(limited, "a", 32), limited);
  EXPECT_EQ(with_register_limit(ptx, "b", 32), ptx);
}

}  // namespace
}  // namespace opbench
