#include "model/operators/workloads/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/unit_workload.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

std::string error_of(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "" : to_text(workload.error());
}

class WorkloadText : public ::testing::TestWithParam<const char*> {};

TEST_P(WorkloadText, ReadsBackAsItself) {
  const auto workload = parse_workload(GetParam());
  ASSERT_TRUE(workload) << to_text(workload.error());
  EXPECT_EQ(text_of(*workload), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Canonical, WorkloadText,
    ::testing::Values("conv2d 1x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1; add 1x64x56x56; relu",
                      "conv2d 1x3x224x224 w:64x3x7x7 pads=3,3,3,3 strides=2,2",
                      "conv2d 1x32x112x112 w:32x1x3x3 group=32 pads=1,1,1,1; clip =0 =6",
                      "conv2d 1x8x20 w:4x8x3 dilations=2", "conv2d 1x8x5x6x7 w:4x8x3x3x3",
                      "max_pool 1x64x112x112 kernel_shape=3,3 pads=1,1,1,1 strides=2,2",
                      "max_pool 1x64x111x112 ceil_mode=1 kernel_shape=3,3 strides=2,2",
                      "average_pool 1x8x9x9 count_include_pad=1 kernel_shape=3,3 pads=1,1,1,1",
                      "global_average_pool 1x512x7x7", "dense 1x512 w:1000x512 w:1000 transB=1",
                      "dense 4x8 w:8x3 alpha=0.1", "matmul 2x3x4x5 2x1x5x6; mul =0.5; add % %",
                      "batch_norm 1x4x5x5 w:4 w:4 w:4 w:4 epsilon=0.001",
                      "lrn 1x8x5x5 alpha=0.02 size=5", "softmax 1x1000", "softmax 1x10x4 axis=1",
                      "softmax 1x10x4 axis=1 coerced=1", "log_softmax 2x3", "add 1x4 1x4",
                      "mul 1x4 =inf", "clip 8x8 _ =6.1", "add 2:int64 =-3,:int64; div =2:int64",
                      "sub =1 3x3; relu", "add scalar scalar", "leaky_relu 1x4 alpha=0.2",
                      "hard_sigmoid 1x4", "reshape 2x6 =3,4:int64", "reshape 2x6 =12,:int64",
                      "flatten 2x3x4 axis=2", "concat 1x4x2x2 1x5x2x2 1x3x2x2 axis=1",
                      "max 1x3 1x3 1x3", "not 3:bool", "prelu 1x4x2x2 w:4x1x1", "relu 0x3"),
    [](const auto& text) { return "n" + std::to_string(text.index); });

TEST(Workload, LeavesOutWhatTheDefaultsSay) {
  const auto text = [](const char* given) { return text_of(parse_workload(given).value()); };
  EXPECT_EQ(text("conv2d 1x4x8x8 w:4x4x3x3 strides=1,1 group=1 pads=0,0,0,0 auto_pad=NOTSET"),
            "conv2d 1x4x8x8 w:4x4x3x3");
  EXPECT_EQ(text("conv2d 1x4x7x7 w:4x4x3x3 strides=2,2 auto_pad=SAME_LOWER kernel_shape=3,3"),
            "conv2d 1x4x7x7 w:4x4x3x3 pads=1,1,1,1 strides=2,2");
  EXPECT_EQ(text("relu 1x4:float32;relu %"), "relu 1x4; relu");
  EXPECT_EQ(text("softmax 1x10x4 axis=2"), "softmax 1x10x4");
  EXPECT_EQ(text("relu 1x4; add 1x4 %; sub 1x4 %"), "relu 1x4; add 1x4; sub 1x4 %");
  EXPECT_EQ(text("max_pool 1x1x8x8 kernel_shape=2,2 strides=2,2 ceil_mode=1"),
            "max_pool 1x1x8x8 kernel_shape=2,2 strides=2,2");
}

TEST(Workload, QuotesThePartThatIsWrong) {
  EXPECT_THAT(error_of("conv3d 1x4x8x8 w:4x4x3x3"), HasSubstr("unknown operator \"conv3d\""));
  EXPECT_THAT(error_of("conv3d 1x4x8x8 w:4x4x3x3"), HasSubstr("did you mean: conv2d?"));
  EXPECT_THAT(error_of("relu 1x-4"), HasSubstr("bad shape \"1x-4\""));
  EXPECT_THAT(error_of("relu 1xax4"), HasSubstr("bad shape \"1xax4\""));
  EXPECT_THAT(error_of("relu 99999999x99999999"), HasSubstr("is too large"));
  EXPECT_THAT(error_of("relu 1x4:float31"), HasSubstr("unknown data type \"float31\""));
  EXPECT_THAT(error_of("conv2d 1x4x8x8 w:4x4x3x3 stride=2,2"),
              HasSubstr("unknown attribute \"stride\" of conv2d"));
  EXPECT_THAT(error_of("conv2d 1x4x8x8 w:4x4x3x3 auto_pad=SAME"),
              HasSubstr("unknown auto_pad \"SAME\""));
  EXPECT_THAT(error_of("conv2d 1x4x8x8 w:4x4x3x3 group=x"),
              HasSubstr("attribute group=\"x\" is not an integer"));
  EXPECT_THAT(error_of("conv2d 1x4x8x8 w:4x5x3x3"),
              HasSubstr("filters 4x5x3x3 in 1 groups do not fit input 1x4x8x8"));
  EXPECT_THAT(error_of("relu 1x4; add 1x3"), HasSubstr("operands 1x4 and 1x3"));
  EXPECT_THAT(error_of("relu 1x4; "), HasSubstr("a step is empty"));
  EXPECT_THAT(error_of(""), HasSubstr("a step is empty"));
  EXPECT_THAT(error_of("relu %"), HasSubstr("\"%\" in the first step"));
  EXPECT_THAT(error_of("conv2d 1x4x8x8"), HasSubstr("operand 1 is missing"));
  EXPECT_THAT(error_of("relu"), HasSubstr("operand 0 is missing"));
  EXPECT_THAT(error_of("reshape 2x6 2:int64"), HasSubstr("must be known before the run"));
  EXPECT_THAT(error_of("mul 1x4 =abc"), HasSubstr("\"abc\" in \"abc\" is not a number"));
}

/// Any text is read or refused, and what is read has a text that reads back.
TEST(Workload, SurvivesTextsWithSlips) {
  const std::string letters = "0123456789x,=;:%w_ -.aeinst";
  const Texts texts = {"conv2d 1x4x8x8 w:4x4x3x3 w:4 group=1 pads=1,1,1,1; add 1x4x8x8; relu",
                       "max_pool 1x4x8x8 kernel_shape=3,3 strides=2,2 ceil_mode=1",
                       "slice 2x6 =0,:int64 =4,:int64 =1,:int64 =2,:int64",
                       "reshape 2x6 =3,-1:int64",
                       "pad 4x4 =1,1,1,1:int64 mode=edge",
                       "resize 1x1x4x4 _ =1,1,2,2",
                       "expand 3x1 =3,4:int64",
                       "depth_to_space 1x8x2x2 blocksize=2",
                       "softmax 1x10x4 axis=1 coerced=1",
                       "conv_transpose 1x4x5x5 w:4x3x3x3 strides=2,2",
                       "matmul 2x3x4 4x5"};
  Random random(11);
  int read = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text = texts[random.below(texts.size())];
    for (uint64_t slips = 1 + random.below(3); slips > 0; --slips) {
      text[random.below(text.size())] = letters[random.below(letters.size())];
    }
    const auto workload = parse_workload(text);
    if (!workload) {
      EXPECT_FALSE(workload.error().message.empty()) << text;
      continue;
    }
    ++read;
    const auto again = parse_workload(text_of(*workload));
    ASSERT_TRUE(again) << text << "\n" << text_of(*workload) << "\n" << to_text(again.error());
    EXPECT_EQ(text_of(*again), text_of(*workload)) << text;
  }
  EXPECT_GT(read, 300) << "too few texts stayed readable to test anything";
}

TEST(Workload, NamesOperandsInOrderOfUse) {
  const auto w = parse_workload("conv2d 1x4x8x8 w:4x4x3x3 pads=1,1,1,1; add 1x4x8x8; relu").value();
  ASSERT_EQ(w.graph.inputs.size(), 3U);
  EXPECT_EQ(w.graph.inputs[2].name, "x2");
  EXPECT_EQ(w.weights, std::vector<std::string>{"x1"});
  EXPECT_EQ(w.graph.nodes[1].inputs, (std::vector<std::string>{"t0", "x2"}));
  EXPECT_EQ(w.graph.nodes[2].outputs, std::vector<std::string>{"y"});
  EXPECT_EQ(w.graph.types.at("y").shape, (Shape{1, 4, 8, 8}));
  EXPECT_EQ(operator_text(w), "conv2d+add+relu");
  EXPECT_EQ(w.opset, 17);
}

TEST(Workload, CountsWhatEntersAndLeavesOnce) {
  const auto w = parse_workload("dense 2x8 w:8x4 w:4; relu").value();
  EXPECT_EQ(bytes_of(w), 4.0 * (16 + 32 + 4 + 8));
  EXPECT_EQ(flops_of(w), 2.0 * 2 * 8 * 4 + 8);
}

TEST(Workload, HasAShortForm) {
  const auto text = [](const char* given) { return short_shapes(parse_workload(given).value()); };
  EXPECT_EQ(text("conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1"), "64x56x56 k3 s1 -> 64x56x56");
  EXPECT_EQ(text("conv2d 1x32x9x9 w:32x1x1x3 group=32 strides=2,2"),
            "32x9x9 k1x3 s2 g32 -> 32x5x4");
  EXPECT_EQ(text("dense 1x512 w:512x10"), "1x512 * 512x10 -> 1x10");
  EXPECT_EQ(text("max_pool 1x4x8x8 kernel_shape=2,2 strides=2,2"), "4x8x8 k2 s2 -> 4x4x4");
}

/// A graph of one chain as an importer makes it: values of any name, nodes of an older opset.
Graph old_graph() {
  Graph graph;
  graph.nodes = {{"c", "Conv", "", {"in", "w"}, {"a"}, {{"auto_pad", std::string("SAME_UPPER")}}},
                 {"k", "Clip", "", {"a"}, {"b"}, {{"max", 6.0F}, {"min", 0.0F}}},
                 {"s", "Softmax", "", {"b"}, {"out"}, {}}};
  graph.constants["w"] = Tensor::empty({DataType::kFloat32, {5, 4, 3, 3}});
  graph.types["in"] = {DataType::kFloat32, {1, 4, 1, 1}};
  graph.types["a"] = graph.types["b"] = graph.types["out"] = {DataType::kFloat32, {1, 5, 1, 1}};
  return graph;
}

TEST(Workload, TakesNodesIntoTheFormOfOpset17) {
  std::vector<std::string> operands;
  const Graph graph = old_graph();
  EXPECT_EQ(text_of(workload_of(graph, {0, 1}, 7, operands)),
            "conv2d 1x4x1x1 w:5x4x3x3 pads=1,1,1,1; clip =0 =6");
  EXPECT_EQ(operands, (std::vector<std::string>{"in", "w"}));
  EXPECT_EQ(text_of(workload_of(graph, {2}, 7, operands)), "softmax 1x5x1x1 axis=1");
}

TEST(Workload, RunsItsSteps) {
  const auto w = parse_workload("dense 1x2 w:2x2; add =1; relu").value();
  const auto tensor = [](Shape shape, std::vector<float> values) {
    return Tensor::of<float>(DataType::kFloat32, std::move(shape), values);
  };
  const auto y = run_reference(w, {tensor({1, 2}, {1, 2}), tensor({2, 2}, {1, -5, 2, 0})});
  ASSERT_TRUE(y) << to_text(y.error());
  EXPECT_EQ(*y, tensor({1, 2}, {6, 0}));
  EXPECT_FALSE(run_reference(w, {}));
}

TEST(WorkloadOutputs, AreRefusedWhereTheOperatorHasFewer) {
  EXPECT_FALSE(parse_workload("relu 1x4 outputs=0,1"));
  EXPECT_FALSE(parse_workload("relu 1x4 outputs=1"));
  EXPECT_FALSE(parse_workload("relu 1x4 outputs=0,x"));
  EXPECT_FALSE(parse_workload("relu 1x4 outputs=0,1; neg")) << "only the last step has several";
}

}  // namespace
}  // namespace opbench
