#include "kernels/tasks/extract_tasks.h"

#include <gmock/gmock.h>

#include "machine/target/parse_target.h"
#include "zoo_tasks.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

using Lines = std::vector<std::string>;

constexpr const char* kPynq =
    "ext_dev -keys=vta,cpu -device=vta -model=pynq_1x16_i8w8a32_15_15_18_17";

/// A task and the number of configs of its space.
struct Expected {
  std::string task;
  uint64_t configs = 0;
};

void expect_tasks(const Model& model, const std::string& target,
                  const std::vector<Expected>& expected) {
  Lines names;
  for (const Expected& task : expected) names.push_back(task.task);
  EXPECT_THAT(tasks_of(model, target), ElementsAreArray(names));
  for (const Task& task : extract_tasks(model, parse_target(target).value())) {
    const auto found = std::ranges::find(expected, brief(task), &Expected::task);
    if (found == expected.end() || found->configs == 0) continue;
    const auto space = space_of(task);
    ASSERT_TRUE(space) << to_text(space.error());
    EXPECT_EQ(size_of(*space).value(), found->configs) << found->task;
  }
}

// docs/reference/config-spaces.md, "Order of tasks": first-sight order, so that a unit's projection
// stands before its second convolution, which is fused with the sum.
TEST(ExtractTasks, FindsThoseOfResnet18OnProcessors) {
  expect_tasks(zoo_model("resnet-18"), "llvm",
               {{"conv2d_NCHWc.x86 1x3x224x224 64x3x7x7 2,2 3,3,3,3 1,1", 308},
                {"conv2d_NCHWc.x86 1x64x56x56 64x64x3x3 1,1 1,1,1,1 1,1", 980},
                {"conv2d_NCHWc.x86 1x64x56x56 64x64x1x1 1,1 0,0,0,0 1,1", 980},
                {"conv2d_NCHWc.x86 1x64x56x56 128x64x3x3 2,2 1,1,1,1 1,1", 896},
                {"conv2d_NCHWc.x86 1x64x56x56 128x64x1x1 2,2 0,0,0,0 1,1", 896},
                {"conv2d_NCHWc.x86 1x128x28x28 128x128x3x3 1,1 1,1,1,1 1,1", 1024},
                {"conv2d_NCHWc.x86 1x128x28x28 256x128x3x3 2,2 1,1,1,1 1,1", 864},
                {"conv2d_NCHWc.x86 1x128x28x28 256x128x1x1 2,2 0,0,0,0 1,1", 864},
                {"conv2d_NCHWc.x86 1x256x14x14 256x256x3x3 1,1 1,1,1,1 1,1", 972},
                {"conv2d_NCHWc.x86 1x256x14x14 512x256x3x3 2,2 1,1,1,1 1,1", 720},
                {"conv2d_NCHWc.x86 1x256x14x14 512x256x1x1 2,2 0,0,0,0 1,1", 720},
                {"conv2d_NCHWc.x86 1x512x7x7 512x512x3x3 1,1 1,1,1,1 1,1", 800},
                {"dense_nopack.x86 1x512 1000x512", 160},
                {"dense_pack.x86 1x512 1000x512", 1000}});
}

TEST(ExtractTasks, FindsThoseOfResnet18OnCuda) {
  expect_tasks(zoo_model("resnet-18"), "cuda",
               {{"conv2d_nchw.cuda 1x3x224x224 64x3x7x7 2,2 3,3,3,3 1,1", 79027200},
                {"conv2d_nchw.cuda 1x64x56x56 64x64x3x3 1,1 1,1,1,1 1,1", 90316800},
                {"conv2d_nchw_winograd.cuda 1x64x56x56 64x64x3x3 1,1 1,1,1,1 1,1", 352800},
                {"conv2d_nchw.cuda 1x64x56x56 64x64x1x1 1,1 0,0,0,0 1,1", 22579200},
                {"conv2d_nchw.cuda 1x64x56x56 128x64x3x3 2,2 1,1,1,1 1,1", 32256000},
                {"conv2d_nchw.cuda 1x64x56x56 128x64x1x1 2,2 0,0,0,0 1,1", 8064000},
                {"conv2d_nchw.cuda 1x128x28x28 128x128x3x3 1,1 1,1,1,1 1,1", 36864000},
                {"conv2d_nchw_winograd.cuda 1x128x28x28 128x128x3x3 1,1 1,1,1,1 1,1", 576000},
                {"conv2d_nchw.cuda 1x128x28x28 256x128x3x3 2,2 1,1,1,1 1,1", 8110080},
                {"conv2d_nchw.cuda 1x128x28x28 256x128x1x1 2,2 0,0,0,0 1,1", 2027520},
                {"conv2d_nchw.cuda 1x256x14x14 256x256x3x3 1,1 1,1,1,1 1,1", 9123840},
                {"conv2d_nchw_winograd.cuda 1x256x14x14 256x256x3x3 1,1 1,1,1,1 1,1", 89100},
                {"conv2d_nchw.cuda 1x256x14x14 512x256x3x3 2,2 1,1,1,1 1,1", 760320},
                {"conv2d_nchw.cuda 1x256x14x14 512x256x1x1 2,2 0,0,0,0 1,1", 190080},
                {"conv2d_nchw.cuda 1x512x7x7 512x512x3x3 1,1 1,1,1,1 1,1", 844800},
                {"conv2d_nchw_winograd.cuda 1x512x7x7 512x512x3x3 1,1 1,1,1,1 1,1", 462000},
                {"dense_small_batch.gpu 1x512 1000x512", 10}});
}

// Quantized: results are cast before they are added, so the projection comes last.
TEST(ExtractTasks, FindsThoseOfResnet18OnAPynqBoard) {
  expect_tasks(zoo_model("resnet-18"), kPynq,
               {{"conv2d_nchw_spatial_pack.arm_cpu 1x3x224x224 64x3x7x7 2,2 3,3,3,3 1,1", 112000},
                {"conv2d_NCHWc.x86 1x3x224x224 64x3x7x7 2,2 3,3,3,3 1,1", 308},
                {"conv2d_packed.vta 1x4x56x56x1x16 4x4x3x3x16x16 1,1 1,1,1,1 1,1", 2304},
                {"conv2d_packed.vta 1x4x56x56x1x16 4x4x1x1x16x16 1,1 0,0,0,0 1,1", 2304},
                {"conv2d_packed.vta 1x4x56x56x1x16 8x4x3x3x16x16 2,2 1,1,1,1 1,1", 1728},
                {"conv2d_packed.vta 1x8x28x28x1x16 8x8x3x3x16x16 1,1 1,1,1,1 1,1", 2304},
                {"conv2d_packed.vta 1x4x56x56x1x16 8x4x1x1x16x16 2,2 0,0,0,0 1,1", 1728},
                {"conv2d_packed.vta 1x8x28x28x1x16 16x8x3x3x16x16 2,2 1,1,1,1 1,1", 1280},
                {"conv2d_packed.vta 1x16x14x14x1x16 16x16x3x3x16x16 1,1 1,1,1,1 1,1", 1600},
                {"conv2d_packed.vta 1x8x28x28x1x16 16x8x1x1x16x16 2,2 0,0,0,0 1,1", 1280},
                {"conv2d_packed.vta 1x16x14x14x1x16 32x16x3x3x16x16 2,2 1,1,1,1 1,1", 480},
                {"conv2d_packed.vta 1x32x7x7x1x16 32x32x3x3x16x16 1,1 1,1,1,1 1,1", 576},
                {"conv2d_packed.vta 1x16x14x14x1x16 32x16x1x1x16x16 2,2 0,0,0,0 1,1", 480}});
}

class Encoders : public testing::TestWithParam<std::string> {};

TEST_P(Encoders, HaveTheTasksOfBert) {
  const Model model = zoo_model(GetParam());
  expect_tasks(model, "llvm",
               {{"dense_nopack.x86 128x768 768x768", 2592},
                {"dense_pack.x86 128x768 768x768", 437400},
                {"batch_matmul.x86 12x128x64 12x128x64 12,128,128 0 1", 448},
                {"batch_matmul.x86 12x128x128 12x64x128 12,128,64 0 1", 448},
                {"dense_nopack.x86 128x768 3072x768", 3168},
                {"dense_pack.x86 128x768 3072x768", 641520},
                {"dense_nopack.x86 128x3072 768x3072", 3168},
                {"dense_pack.x86 128x3072 768x3072", 534600},
                {"dense_nopack.x86 1x768 768x768", 324},
                {"dense_pack.x86 1x768 768x768", 2430}});
  expect_tasks(model, "cuda",
               {{"dense_small_batch.gpu 128x768 768x768", 18},
                {"dense_large_batch.gpu 128x768 768x768", 10692000},
                {"batch_matmul.cuda 12x128x64 12x128x64 12,128,128 0 1", 72576},
                {"batch_matmul.cuda 12x128x128 12x64x128 12,128,64 0 1", 64512},
                {"dense_small_batch.gpu 128x768 3072x768", 18},
                {"dense_large_batch.gpu 128x768 3072x768", 18532800},
                {"dense_small_batch.gpu 128x3072 768x3072", 22},
                {"dense_large_batch.gpu 128x3072 768x3072", 15681600},
                {"dense_small_batch.gpu 1x768 768x768", 18}});
}

INSTANTIATE_TEST_SUITE_P(Zoo, Encoders, testing::Values("bert", "roberta"),
                         [](const auto& model) { return model.param; });

TEST(ExtractTasks, FindsThoseOfLstm) {
  expect_tasks(
      zoo_model("lstm"), "llvm",
      {{"dense_nopack.x86 1x1024 4096x1024", 143}, {"dense_pack.x86 1x1024 4096x1024", 1001}});
}

// Whole arguments, as the public logs have them.
TEST(ExtractTasks, WritesArgumentsAsLogsHaveThem) {
  const Target llvm = parse_target("llvm").value();
  const std::vector<Task> tasks = extract_tasks(zoo_model("conv2d"), llvm);
  ASSERT_EQ(tasks.size(), 1U);
  const auto tensor = [](const char* type, const std::vector<int64_t>& shape) {
    Argument result{.kind = ArgumentKind::kTensor, .text = type};
    for (const int64_t extent : shape) result.items.push_back(Argument::of_int(extent));
    return result;
  };
  const auto tuple = [](const std::vector<int64_t>& values) {
    Argument result = Argument::of_tuple({});
    for (const int64_t value : values) result.items.push_back(Argument::of_int(value));
    return result;
  };
  EXPECT_EQ(tasks[0].target, llvm);
  EXPECT_THAT(
      tasks[0].arguments,
      ElementsAre(tensor("float32", {1, 64, 56, 56}), tensor("float32", {64, 64, 3, 3}),
                  tuple({1, 1}), tuple({1, 1, 1, 1}), tuple({1, 1}), Argument::of_string("NCHW"),
                  Argument::of_string("NCHW"), Argument::of_string("float32")));
}

TEST(ExtractTasks, FollowsTheBatch) {
  EXPECT_THAT(tasks_of(zoo_model("dense", 8), "llvm"),
              ElementsAre("dense_nopack.x86 8x512 1000x512", "dense_pack.x86 8x512 1000x512"));
  EXPECT_THAT(tasks_of(zoo_model("dense", 31), "cuda"),
              ElementsAre("dense_small_batch.gpu 31x512 1000x512"));
  EXPECT_THAT(tasks_of(zoo_model("dense", 32), "cuda"),
              ElementsAre("dense_small_batch.gpu 32x512 1000x512",
                          "dense_large_batch.gpu 32x512 1000x512"));
}

TEST(ExtractTasks, KnowsTargetsByTheirKeys) {
  const Model model = zoo_model("conv2d");
  const std::string shapes = " 1x64x56x56 64x64x3x3 1,1 1,1,1,1 1,1";
  const Lines on_gpu{"conv2d_nchw.cuda" + shapes, "conv2d_nchw_winograd.cuda" + shapes};
  for (const char* target : {"cuda", "opencl", "vulkan", "metal", "rocm", "nvptx"}) {
    EXPECT_EQ(tasks_of(model, target), on_gpu) << target;
  }
  const Lines on_arm{"conv2d_nchw_spatial_pack.arm_cpu" + shapes, "conv2d_NCHWc.x86" + shapes,
                     "conv2d_nchw_winograd.arm_cpu" + shapes};
  for (const char* target : {"llvm -device=arm_cpu -model=rk3399 -mtriple=aarch64-linux-gnu",
                             "llvm -keys=arm_cpu,cpu"}) {
    EXPECT_EQ(tasks_of(model, target), on_arm) << target;
  }
  EXPECT_EQ(tasks_of(model, "opencl -device=adreno"),
            (Lines{"conv2d_nchw_winograd.image2d" + shapes, "conv2d_nchwc.image2d" + shapes}));
  EXPECT_EQ(tasks_of(model, "opencl -device=intel_graphics"),
            (Lines{"conv2d_NCHWc.intel_graphics" + shapes}));
  const Lines on_mali{"conv2d_nchw_spatial_pack.mali" + shapes,
                      "conv2d_nchw_winograd.mali" + shapes};
  EXPECT_EQ(tasks_of(model, "opencl -device=mali -model=rk3399"), on_mali);
  const Lines on_bifrost{"conv2d_nchw_spatial_pack.bifrost" + shapes,
                         "conv2d_nchw_winograd.bifrost" + shapes};
  EXPECT_EQ(tasks_of(model, "opencl -device=bifrost"), on_bifrost);
  EXPECT_EQ(tasks_of(model, "c"), (Lines{"conv2d_NCHWc.x86" + shapes}));
  EXPECT_THAT(tasks_of(model, "hexagon"), IsEmpty());
}

/// The model of one node of float16 or float32.
Model model_of(const Node& node, const std::vector<TensorType>& operands,
               const TensorType& result) {
  Model model;
  model.opset = 17;
  Graph& graph = model.graph;
  for (size_t i = 0; i < operands.size(); ++i) graph.types[node.inputs[i]] = operands[i];
  graph.types[node.outputs[0]] = result;
  graph.outputs.push_back({.name = node.outputs[0], .data_type = result.data_type});
  graph.nodes.push_back(node);
  return model;
}

Model matmul(DataType type, const Shape& a, const Shape& b, const Shape& c) {
  return model_of({.name = "y", .type = "MatMul", .inputs = {"a", "b"}, .outputs = {"y"}},
                  {{type, a}, {type, b}}, {type, c});
}

Model convolution(const std::string& type, const Shape& x, const Shape& w,
                  const Attributes& attributes) {
  return model_of(
      {.name = "y", .type = type, .inputs = {"x", "w"}, .outputs = {"y"}, .attributes = attributes},
      {{DataType::kFloat32, x}, {DataType::kFloat32, w}}, {DataType::kFloat32, x});
}

// A matrix on the right makes it a dense layer over all rows; else both sides are broadcast.
TEST(ExtractTasks, ReadsMatrixProductsAsTheFrontendDoes) {
  const auto on_llvm = [](const Shape& a, const Shape& b) {
    return tasks_of(matmul(DataType::kFloat32, a, b, {1}), "llvm");
  };
  EXPECT_THAT(on_llvm({2, 5, 7, 3}, {3, 4}),
              ElementsAre("dense_nopack.x86 70x3 4x3", "dense_pack.x86 70x3 4x3"));
  EXPECT_THAT(on_llvm({7, 3}, {3}),
              ElementsAre("dense_nopack.x86 7x3 1x3", "dense_pack.x86 7x3 1x3"));
  EXPECT_THAT(on_llvm({2, 1, 7, 3}, {5, 3, 4}),
              ElementsAre("batch_matmul.x86 10x7x3 10x4x3 10,7,4 0 1"));
  EXPECT_THAT(on_llvm({7, 3}, {5, 3, 4}), ElementsAre("batch_matmul.x86 5x7x3 5x4x3 5,7,4 0 1"));
}

TEST(ExtractTasks, AddsLibrariesAndTensorCoresTheTargetHas) {
  const Model half = matmul(DataType::kFloat16, {16, 64}, {64, 32}, {16, 32});
  const std::string shapes = " 16x64 32x64";
  EXPECT_THAT(tasks_of(half, "cuda -arch=sm_61"), ElementsAre("dense_small_batch.gpu" + shapes));
  EXPECT_THAT(tasks_of(half, "cuda -arch=sm_70 -libs=cublas"),
              ElementsAre("dense_small_batch.gpu" + shapes, "dense_tensorcore.cuda" + shapes,
                          "dense_cublas.cuda" + shapes));
  const Model full = matmul(DataType::kFloat32, {16, 64}, {64, 32}, {16, 32});
  EXPECT_THAT(tasks_of(full, "cuda -arch=sm_70"), ElementsAre("dense_small_batch.gpu" + shapes));
  EXPECT_THAT(tasks_of(full, "llvm -libs=mkl,cblas"),
              ElementsAre("dense_nopack.x86" + shapes, "dense_pack.x86" + shapes,
                          "dense_cblas.x86" + shapes, "dense_mkl.x86" + shapes));
  const Model batch = matmul(DataType::kFloat16, {3, 16, 64}, {3, 64, 32}, {3, 16, 32});
  EXPECT_THAT(tasks_of(batch, "cuda -arch=sm_80 -libs=cublas"),
              ElementsAre("batch_matmul.cuda 3x16x64 3x32x64 3,16,32 0 1",
                          "batch_matmul_cublas.cuda 3x16x64 3x32x64 3,16,32 0 1",
                          "batch_matmul_tensorcore.cuda 3x16x64 3x32x64 3,16,32 0 1"));
}

TEST(ExtractTasks, TellsGroupsFromDepthwise) {
  const Attributes eight{{"group", int64_t{8}}, {"pads", std::vector<int64_t>{1, 1, 1, 1}}};
  const Model groups = convolution("Conv", {1, 32, 14, 14}, {64, 4, 3, 3}, eight);
  EXPECT_THAT(tasks_of(groups, "llvm"),
              ElementsAre("group_conv2d_nchw.x86 1x32x14x14 64x4x3x3 1,1 1,1,1,1 1,1 8"));
  EXPECT_THAT(tasks_of(groups, "cuda"),
              ElementsAre("group_conv2d_nchw.cuda 1x32x14x14 64x4x3x3 1,1 1,1,1,1 1,1 8"));
  EXPECT_THAT(tasks_of(groups, "llvm -device=arm_cpu"),
              ElementsAre("group_conv2d_nchw.arm_cpu 1x32x14x14 64x4x3x3 1,1 1,1,1,1 1,1 8"));
  EXPECT_THAT(tasks_of(groups, "opencl -device=mali"), IsEmpty());
  const Model twice = convolution("Conv", {1, 8, 14, 14}, {16, 1, 3, 3}, eight);
  EXPECT_THAT(tasks_of(twice, "llvm"), IsEmpty());
  EXPECT_THAT(tasks_of(twice, "cuda"),
              ElementsAre("depthwise_conv2d_nchw.cuda 1x8x14x14 8x2x3x3 1,1 1,1,1,1 1,1"));
  Attributes dilated = eight;
  dilated["dilations"] = std::vector<int64_t>{2, 2};
  const Model wide = convolution("Conv", {1, 8, 14, 14}, {8, 1, 3, 3}, dilated);
  EXPECT_THAT(tasks_of(wide, "llvm"), IsEmpty());
  EXPECT_THAT(tasks_of(wide, "llvm -device=arm_cpu"),
              ElementsAre("depthwise_conv2d_nchw.arm_cpu 1x8x14x14 8x1x3x3 1,1 1,1,1,1 2,2"));
}

// On x86 a plain convolution over spread data; its padding has two items.
TEST(ExtractTasks, TransposesConvolutions) {
  const Model model = convolution(
      "ConvTranspose", {1, 64, 16, 16}, {64, 32, 4, 4},
      {{"strides", std::vector<int64_t>{2, 2}}, {"pads", std::vector<int64_t>{1, 1, 1, 1}}});
  EXPECT_THAT(tasks_of(model, "llvm"),
              ElementsAre("conv2d_NCHWc.x86 1x64x35x35 32x64x4x4 1,1 0,0 1,1"));
  EXPECT_THAT(tasks_of(model, "cuda"),
              ElementsAre("conv2d_transpose_nchw.cuda 1x64x16x16 64x32x4x4 2,2 1,1,1,1 0,0"));
  EXPECT_THAT(tasks_of(model, "llvm -device=arm_cpu"),
              ElementsAre("conv2d_transpose_nchw.arm_cpu 1x64x16x16 64x32x4x4 2,2 1,1,1,1 0,0"));
  EXPECT_THAT(tasks_of(model, kPynq),
              ElementsAre("conv2d_transpose_packed.vta 1x4x16x16x1x16 2x4x4x4x16x16 2,2 1,1,1,1 "
                          "0,0"));
}

TEST(ExtractTasks, LeavesOutWhatTvmRefusesToDilate) {
  const std::vector<int64_t> twice{2, 2};
  const Model conv = convolution("Conv", {1, 16, 14, 14}, {32, 16, 3, 3}, {{"dilations", twice}});
  EXPECT_THAT(tasks_of(conv, "opencl -device=intel_graphics"), IsEmpty());
  for (const char* target : {"llvm", "cuda", "llvm -device=arm_cpu", "opencl -device=mali",
                             "opencl -device=bifrost", "opencl -device=adreno"}) {
    EXPECT_THAT(tasks_of(conv, target),
                testing::SizeIs(std::string(target).ends_with("arm_cpu") ? 2 : 1))
        << target;
  }
  for (const size_t axes : {1u, 2u, 3u}) {
    Shape data{1, 16}, filters{16, 3};
    data.insert(data.end(), axes, 14);
    filters.insert(filters.end(), axes, 3);
    const Model transposed =
        convolution("ConvTranspose", data, filters, {{"dilations", std::vector<int64_t>(axes, 2)}});
    for (const char* target : {"llvm", "cuda", "llvm -device=arm_cpu", "opencl -device=adreno",
                               "opencl -device=intel_graphics", kPynq}) {
      EXPECT_THAT(tasks_of(transposed, target), IsEmpty()) << target << " " << axes;
    }
  }
}

TEST(ExtractTasks, CountsSpatialAxes) {
  const Model line = convolution("Conv", {1, 8, 50}, {16, 8, 3}, {});
  EXPECT_THAT(tasks_of(line, "llvm"), IsEmpty());
  EXPECT_THAT(tasks_of(line, "cuda"), ElementsAre("conv1d_ncw.cuda 1x8x50 16x8x3 1 0,0 1"));
  const Model groups = convolution("Conv", {1, 8, 50}, {16, 4, 3},
                                   {{"group", int64_t{2}}, {"pads", std::vector<int64_t>{1, 0}}});
  EXPECT_THAT(tasks_of(groups, "llvm"),
              ElementsAre("group_conv2d_nchw.x86 1x8x1x50 16x4x1x3 1,1 0,1,0,0 1,1 2"));
  const Model cube = convolution("Conv", {1, 64, 8, 28, 28}, {64, 64, 3, 3, 3},
                                 {{"pads", std::vector<int64_t>{1, 1, 1, 1, 1, 1}}});
  const std::string shapes = " 1x64x8x28x28 64x64x3x3x3 1,1,1 1,1,1,1,1,1 1,1,1";
  EXPECT_THAT(tasks_of(cube, "llvm"), ElementsAre("conv3d_ncdhw.x86" + shapes));
  EXPECT_THAT(tasks_of(cube, "cuda"),
              ElementsAre("conv3d_ncdhw.cuda" + shapes, "conv3d_ncdhw_winograd.cuda" + shapes));
}

// What a target's own strategy lacks falls to its next key.
TEST(ExtractTasks, FallsToTheNextKeyForAnOperator) {
  EXPECT_THAT(tasks_of(zoo_model("dense"), "llvm -device=arm_cpu"),
              ElementsAre("dense_nopack.x86 1x512 1000x512", "dense_pack.x86 1x512 1000x512"));
  EXPECT_THAT(tasks_of(zoo_model("dense"), "opencl -device=mali"),
              ElementsAre("dense.mali 1x512 1000x512"));
  EXPECT_THAT(tasks_of(zoo_model("dense"), "rocm"), ElementsAre("dense.rocm 1x512 1000x512"));
  EXPECT_THAT(tasks_of(zoo_model("dense"), "opencl -device=bifrost"),
              ElementsAre("dense.bifrost 1x512 1000x512"));
  EXPECT_THAT(tasks_of(zoo_model("bert"), "opencl -device=mali"),
              testing::Contains("batch_matmul.cuda 12x128x64 12x128x64 12,128,128 0 1"));
}

struct Count {
  std::string model;
  size_t llvm;
  size_t cuda;
};

class TaskCounts : public testing::TestWithParam<Count> {};

TEST_P(TaskCounts, StayWhatTheyAreWithoutDoubles) {
  const Model model = zoo_model(GetParam().model);
  for (const auto& [target, count] :
       {std::pair("llvm", GetParam().llvm), std::pair("cuda", GetParam().cuda)}) {
    Lines tasks = tasks_of(model, target);
    EXPECT_EQ(tasks.size(), count) << target;
    std::ranges::sort(tasks);
    EXPECT_EQ(std::ranges::adjacent_find(tasks), tasks.end()) << target;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, TaskCounts,
                         testing::Values(Count{"resnet-50", 22, 25}, Count{"resnet18-v1", 13, 16},
                                         Count{"mobilenet", 21, 20}, Count{"mobilenet_v2", 32, 31},
                                         Count{"squeezenet_v1.1", 18, 22}, Count{"vgg-16", 15, 21},
                                         Count{"inception_v3", 45, 51},
                                         Count{"densenet-121", 68, 71},
                                         Count{"matmul_matmul_add", 2, 2}),
                         [](const auto& count) {
                           std::string name = count.param.model;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

// Whatever is found has a config space.
TEST(ExtractTasks, FindsOnlyTasksWithASpace) {
  for (const char* name : {"resnet-18", "mobilenet", "inception_v3", "bert", "lstm"}) {
    const Model model = zoo_model(name);
    for (const char* target :
         {"llvm", "cuda", "rocm", "opencl", "llvm -device=arm_cpu", "opencl -device=mali",
          "opencl -device=bifrost", "opencl -device=adreno", "opencl -device=intel_graphics",
          "ext_dev -keys=vta,cpu -device=vta -model=pynq_1x16_i8w8a32_15_15_18_17"}) {
      for (const Task& task : extract_tasks(model, parse_target(target).value())) {
        const auto space = space_of(task);
        EXPECT_TRUE(space) << target << ", " << brief(task) << ": " << to_text(space.error());
      }
    }
  }
}

}  // namespace
}  // namespace opbench
