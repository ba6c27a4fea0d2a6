#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/numbers/random.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::FloatNear;
using ::testing::Pointwise;

TEST(Reference, ConvolvesWithPadding) {
  // 1 2 3 / 4 5 6 / 7 8 9 with a filter of ones: sums over the neighbours that exist.
  Floats data = count_up(9);
  data.insert(data.end(), 9, 1.0F);
  EXPECT_THAT(floats("conv2d 1x1x3x3 w:1x1x3x3 pads=1,1,1,1", data),
              ElementsAre(12, 21, 16, 27, 45, 33, 24, 39, 28));
}

TEST(Reference, ConvolvesInGroupsWithBiasAndDilation) {
  Floats data = count_up(10);                         // two channels of five
  data.insert(data.end(), {1, 2, 10, 20, 100, 200});  // filters 1,2 and 10,20; biases
  EXPECT_THAT(floats("conv2d 1x2x5 w:2x1x2 w:2 group=2 dilations=3", data),
              ElementsAre(1 + 8 + 100, 2 + 10 + 100, 60 + 180 + 200, 70 + 200 + 200));
}

TEST(Reference, MultipliesMatricesInEveryForm) {
  const Floats data{1, 2, 3, 4, 5, 6, 1, 0, 0, 1, 1, 1};
  EXPECT_THAT(floats("dense 2x3 w:3x2", data), ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(floats("matmul 2x3 3x2", data), ElementsAre(4, 5, 10, 11));
  EXPECT_THAT(floats("dense 2x3 w:2x3 transB=1 alpha=2", data), ElementsAre(2, 12, 8, 30));
  EXPECT_THAT(floats("dense 3x2 w:3x2 transA=1", data), ElementsAre(6, 8, 8, 10));
  EXPECT_THAT(floats("dense 1x1 w:1x2 w:1x2 beta=0.5", {3, 1, 2, 4, 8}), ElementsAre(5, 10));
  EXPECT_EQ(shape("matmul 3 3"), Shape{});
  EXPECT_EQ(shape("matmul 2x1x4x3 5x3x2"), (Shape{2, 5, 4, 2}));
  EXPECT_EQ(shape("matmul 3 5x3x2"), (Shape{5, 2}));
}

TEST(Reference, SumsLongProductsAccurately) {
  Floats data(20000);
  Random(1).fill_normal(data, 1.0F);
  double sum = 0;
  double magnitude = 0;
  for (size_t i = 0; i < 10000; ++i) {
    const double product = static_cast<double>(data[i]) * data[10000 + i];
    sum += product;
    magnitude += std::abs(product);
  }
  EXPECT_NEAR(floats("dense 1x10000 w:10000x1", data)[0], sum, 1e-6 * magnitude);
}

TEST(Reference, PoolsWindowsThatReachOverTheEdge) {
  const Floats data = count_up(9);
  EXPECT_THAT(floats("max_pool 1x1x3x3 kernel_shape=2,2 pads=1,1,0,0", data),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(floats("max_pool 1x1x3x3 kernel_shape=2,2 strides=2,2 ceil_mode=1", data),
              ElementsAre(5, 6, 8, 9));
  EXPECT_THAT(floats("average_pool 1x1x3 kernel_shape=2 pads=1,1", {2, 4, 6}),
              ElementsAre(2, 3, 5, 6));
  EXPECT_THAT(floats("average_pool 1x1x3 kernel_shape=2 pads=1,1 count_include_pad=1", {2, 4, 6}),
              ElementsAre(1, 3, 5, 3));
  EXPECT_THAT(floats("average_pool 1x1x3 kernel_shape=2 strides=2 ceil_mode=1", {2, 4, 6}),
              ElementsAre(3, 6));
  EXPECT_THAT(floats("max_pool 1x1x5 kernel_shape=2 dilations=3", {5, 1, 2, 4, 3}),
              ElementsAre(5, 3));
}

TEST(Reference, KnowsTheShapesOfOddWindows) {
  EXPECT_EQ(shape("max_pool 1x1x6 kernel_shape=3 strides=2"), (Shape{1, 1, 2}));
  EXPECT_EQ(shape("max_pool 1x1x6 kernel_shape=3 strides=2 ceil_mode=1"), (Shape{1, 1, 3}));
  // Without ceil_mode a window may lie in the padding altogether.
  EXPECT_EQ(shape("conv2d 1x1x5x5 w:1x1x1x1 pads=0,0,1,1"), (Shape{1, 1, 6, 6}));
  // The third window would start at 4, in the padding behind 3 + 1: it is dropped.
  EXPECT_EQ(shape("max_pool 1x1x3 kernel_shape=1 strides=2 pads=1,1 ceil_mode=1"),
            (Shape{1, 1, 2}));
  EXPECT_EQ(shape("conv2d 1x1x7 w:1x1x4 strides=3 auto_pad=SAME_UPPER"), (Shape{1, 1, 3}));
  EXPECT_EQ(shape("conv2d 1x1x7 w:1x1x4 strides=3 auto_pad=VALID"), (Shape{1, 1, 2}));
  const auto text = [](const char* t) { return text_of(parse_workload(t).value()); };
  EXPECT_EQ(text("conv2d 1x1x7 w:1x1x4 auto_pad=SAME_UPPER"), "conv2d 1x1x7 w:1x1x4 pads=1,2");
  EXPECT_EQ(text("conv2d 1x1x7 w:1x1x4 auto_pad=SAME_LOWER"), "conv2d 1x1x7 w:1x1x4 pads=2,1");
}

TEST(Reference, PoolsWholeChannels) {
  EXPECT_THAT(floats("global_average_pool 1x2x1x2", {1, 3, 5, 9}), ElementsAre(2, 7));
  EXPECT_THAT(floats("global_max_pool 1x2x1x2", {1, 3, 5, -9}), ElementsAre(3, 5));
}

TEST(Reference, NormalisesResponsesOverTheRightNeighbours) {
  // size 2: the channel itself and the one after it; alpha is divided by the size.
  EXPECT_THAT(floats("lrn 1x3x1x1 size=2 alpha=2 beta=1 bias=0", {1, 2, 3}),
              Pointwise(FloatNear(1e-6F), Floats{1.0F / 5, 2.0F / 13, 3.0F / 9}));
  // size 3: one on either side.
  EXPECT_THAT(floats("lrn 1x3x1x1 size=3 alpha=3 beta=1 bias=1", {1, 2, 3}),
              Pointwise(FloatNear(1e-6F), Floats{1.0F / 6, 2.0F / 15, 3.0F / 14}));
}

TEST(Reference, NormalisesWithKnownAndOwnStatistics) {
  EXPECT_THAT(
      floats("batch_norm 1x2x1x1 w:2 w:2 w:2 w:2 epsilon=0", {5, 6, 2, 3, 1, 1, 3, 2, 4, 9}),
      Pointwise(FloatNear(1e-6F), Floats{3, 5}));
  EXPECT_THAT(floats("instance_norm 1x1x2 w:1 w:1 epsilon=0", {1, 3, 2, 10}),
              Pointwise(FloatNear(1e-6F), Floats{8, 12}));
  EXPECT_THAT(floats("layer_norm 2x2 w:2 w:2 epsilon=0", {1, 3, 9, 5, 2, 1, 10, 0}),
              Pointwise(FloatNear(1e-6F), Floats{8, 1, 12, -1}));
}

TEST(Reference, SoftmaxSumsToOneAlongItsAxis) {
  const Floats data{0, 1, 2, 3, 4, 500};
  const Floats y = floats("softmax 2x3", data);
  EXPECT_FLOAT_EQ(y[0] + y[1] + y[2], 1);
  EXPECT_FLOAT_EQ(y[1] / y[0], std::exp(1.0F));
  EXPECT_FLOAT_EQ(y[5], 1);
  const Floats columns = floats("softmax 2x3 axis=0", data);
  EXPECT_FLOAT_EQ(columns[0] + columns[3], 1);
  const Floats all = floats("softmax 1x2x3 axis=1 coerced=1", {1, 1, 1, 1, 1, 1});
  EXPECT_FLOAT_EQ(all[4], 1.0F / 6);
  EXPECT_FLOAT_EQ(floats("log_softmax 1x2", {1, 1})[0], -std::log(2.0F));
}

TEST(Reference, ComputesElementwise) {
  const auto one = [](const std::string& word, float x) { return floats(word, {x})[0]; };
  EXPECT_EQ(one("relu 1", -2), 0);
  EXPECT_FLOAT_EQ(one("leaky_relu 1", -2), -0.02F);
  EXPECT_FLOAT_EQ(one("elu 1 alpha=2", -1), 2 * (std::exp(-1.0F) - 1));
  EXPECT_FLOAT_EQ(one("selu 1", 1), 1.050701F);
  EXPECT_FLOAT_EQ(one("hard_sigmoid 1", 1), 0.7F);
  EXPECT_FLOAT_EQ(one("hard_swish 1", 1), 4.0F / 6);
  EXPECT_FLOAT_EQ(one("sigmoid 1", 0), 0.5F);
  EXPECT_FLOAT_EQ(one("softplus 1", 0), std::log(2.0F));
  EXPECT_FLOAT_EQ(one("softsign 1", -3), -0.75F);
  EXPECT_FLOAT_EQ(one("thresholded_relu 1 alpha=3", 2), 0);
  EXPECT_FLOAT_EQ(one("gelu 1", 1), 0.8413447F);
  EXPECT_FLOAT_EQ(one("mish 1", 1), 0.8650984F);
  EXPECT_EQ(one("round 1", 2.5F), 2);
  EXPECT_EQ(one("round 1", -1.5F), -2);
  EXPECT_EQ(one("round 1", 0.4F), 0);
  EXPECT_EQ(one("clip 1 =0 =6", 7), 6);
  EXPECT_EQ(one("clip 1 _ =6", -7), -7);
  EXPECT_EQ(one("prelu 1 =0.5", -4), -2);
  EXPECT_EQ(one("pow 1 =3", 2), 8);
  EXPECT_EQ(one("reciprocal 1", 4), 0.25F);
}

TEST(Reference, BroadcastsOperands) {
  EXPECT_THAT(floats("add 2x1 1x3", {10, 20, 1, 2, 3}), ElementsAre(11, 12, 13, 21, 22, 23));
  EXPECT_THAT(floats("sub 2x2 2", {1, 2, 3, 4, 1, 1}), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(floats("max 2 2 1", {1, 5, 3, 2, 4}), ElementsAre(4, 5));
  EXPECT_THAT(floats("mean 2 2", {1, 5, 3, 3}), ElementsAre(2, 4));
  EXPECT_THAT(floats("add scalar 2; mul % %", {1, 1, 2}), ElementsAre(4, 9));
  const Tensor less = run("less 3 scalar", {1, 2, 3, 2});
  EXPECT_THAT(integers(less), ElementsAre(1, 0, 0));
}

TEST(Reference, ComputesOnIntegers) {
  const auto workload = parse_workload("div =-7,7:int64 =2:int64; mod =3:int64").value();
  EXPECT_THAT(integers(run_reference(workload, {}).value()), ElementsAre(0, 0));
  const auto cast = parse_workload("cast =1.9,-1.9,0 to=7").value();
  EXPECT_THAT(integers(run_reference(cast, {}).value()), ElementsAre(1, -1, 0));
}

TEST(Reference, MovesElements) {
  const Floats data = count_up(6);
  EXPECT_THAT(floats("transpose 2x3 perm=1,0", data), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(floats("reshape 2x3 =3,-1:int64", data), ElementsAreArray(data));
  EXPECT_THAT(floats("concat 1x2 1x1 1x3 axis=1", data), ElementsAreArray(data));
  EXPECT_THAT(floats("concat 2x1 2x2 axis=-1", data), ElementsAre(1, 3, 4, 2, 5, 6));
  EXPECT_THAT(floats("slice 2x3 =-1,:int64 =-10,:int64 =1,:int64 =-2,:int64", data),
              ElementsAre(3, 1, 6, 4));
  EXPECT_THAT(floats("slice 6 =1,:int64 =100,:int64 =0,:int64 =2,:int64", data),
              ElementsAre(2, 4, 6));
  EXPECT_THAT(floats("gather 2x3 =-1:int64 axis=1", data), ElementsAre(3, 6));
  EXPECT_THAT(floats("expand 3x1 =2,3,2:int64", {1, 2, 3}),
              ElementsAre(1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(floats("tile 1x2 =2,2:int64", {1, 2}), ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
  EXPECT_THAT(floats("pad 3 =1,2:int64", {1, 2, 3}), ElementsAre(0, 1, 2, 3, 0, 0));
  EXPECT_THAT(floats("pad 3 =1,2:int64 mode=reflect", {1, 2, 3}), ElementsAre(2, 1, 2, 3, 2, 1));
  EXPECT_THAT(floats("pad 3 =1,2:int64 mode=edge", {1, 2, 3}), ElementsAre(1, 1, 2, 3, 3, 3));
  EXPECT_THAT(floats("pad 3 =-1,1:int64 =9", {1, 2, 3}), ElementsAre(2, 3, 9));
  EXPECT_THAT(floats("where =1,0:bool 2 scalar", {1, 2, 5}), ElementsAre(1, 5));
}

TEST(Reference, MovesChannelsIntoBlocksAndBack) {
  const Floats data = count_up(8);
  EXPECT_THAT(floats("depth_to_space 1x8x1x1 blocksize=2", data),
              ElementsAre(1, 3, 5, 7, 2, 4, 6, 8));
  EXPECT_THAT(floats("depth_to_space 1x8x1x1 blocksize=2 mode=CRD", data), ElementsAreArray(data));
  EXPECT_THAT(floats("depth_to_space 1x8x1x1 blocksize=2; relu", data).size(), 8U);
  EXPECT_THAT(floats("space_to_depth 1x2x2x2 blocksize=2", {1, 3, 5, 7, 2, 4, 6, 8}),
              ElementsAreArray(data));
}

TEST(Reference, ReducesAxes) {
  const Floats data = count_up(6);
  EXPECT_THAT(floats("reduce_mean 2x3 axes=1", data), ElementsAre(2, 5));
  EXPECT_THAT(floats("reduce_sum 2x3 =0,:int64", data), ElementsAre(5, 7, 9));
  EXPECT_THAT(floats("reduce_max 2x3", data), ElementsAre(6));
  EXPECT_THAT(floats("reduce_min 2x3 axes=-2", data), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats("reduce_prod 2x3 axes=1", data), ElementsAre(6, 120));
  EXPECT_THAT(floats("reduce_l1 2", {3, -4}), ElementsAre(7));
  EXPECT_THAT(floats("reduce_l2 2", {3, -4}), ElementsAre(5));
  EXPECT_EQ(shape("reduce_mean 2x3x4 axes=0,2 keepdims=0"), Shape{3});
  EXPECT_EQ(shape("reduce_mean 2x3x4 axes=0,2"), (Shape{1, 3, 1}));
  EXPECT_THAT(integers(run("arg_max 2x3 axis=1 keepdims=0", {1, 3, 2, 9, 4, 9})),
              ElementsAre(1, 0));
}

TEST(Reference, ResizesWithTheCoordinatesAskedFor) {
  EXPECT_THAT(floats("resize 2 _ =2,", {1, 2}), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(floats("resize 2 _ =2, mode=linear", {1, 2}),
              Pointwise(FloatNear(1e-6F), Floats{1, 1.25F, 1.75F, 2}));
  EXPECT_THAT(
      floats("resize 2 _ =2, mode=linear coordinate_transformation_mode=align_corners", {1, 4}),
      Pointwise(FloatNear(1e-6F), Floats{1, 2, 3, 4}));
  // Corners of an extent of 2.4, of which 2 are kept.
  EXPECT_THAT(floats("resize 4 _ =0.6, mode=linear coordinate_transformation_mode=align_corners",
                     {1, 2, 3, 4}),
              Pointwise(FloatNear(1e-6F), Floats{1, 1 + 3 / 1.4F}));
  EXPECT_THAT(
      floats("resize 2 _ =2, mode=linear coordinate_transformation_mode=asymmetric", {1, 2}),
      Pointwise(FloatNear(1e-6F), Floats{1, 1.5F, 2, 2}));
  EXPECT_EQ(shape("resize 1x1x2x3 _ _ =1,1,4,9:int64"), (Shape{1, 1, 4, 9}));
}

TEST(Reference, TransposesConvolutions) {
  EXPECT_THAT(floats("conv_transpose 1x1x2 w:1x1x3 strides=2", {1, 2, 1, 10, 100}),
              ElementsAre(1, 10, 102, 20, 200));
  EXPECT_THAT(floats("conv_transpose 1x1x2 w:1x1x3 strides=2 pads=1,1 output_padding=1",
                     {1, 2, 1, 10, 100}),
              ElementsAre(10, 102, 20, 200));
  EXPECT_EQ(shape("conv_transpose 1x4x5x5 w:4x3x3x3 strides=2,2 auto_pad=SAME_UPPER"),
            (Shape{1, 3, 10, 10}));
  EXPECT_THAT(floats("conv_transpose 1x2x1 w:2x1x2 w:2 group=2", {1, 2, 1, 10, 2, 20, 5, 6}),
              ElementsAre(6, 15, 10, 46));
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// One unit, one input: by hand. Gates stand in the order input, output, forget, cell.
TEST(Reference, StepsThroughSequences) {
  const std::array<double, 2> x{0.5, -1};
  const std::array<double, 4> w{0.1, 0.2, 0.3, 0.4};
  const std::array<double, 4> r{0.5, -0.5, 0.25, 1};
  const std::array<double, 4> b{0.01, 0.02, 0.03, 0.04};
  Floats data{0.5F, -1, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, -0.5F, 0.25F, 1};
  const Floats biases{0.01F, 0.02F, 0, 0, 0, 0, 0.03F, 0.04F};  // of input and of recurrence
  data.insert(data.end(), biases.begin(), biases.end());
  data.insert(data.end(), {0.3F, -0.2F});  // the state before, the cell before
  double h = 0.3;
  double c = -0.2;
  Floats expected;
  for (const double input : x) {
    std::array<double, 4> sums{};
    for (size_t g = 0; g < 4; ++g) sums.at(g) = w.at(g) * input + r.at(g) * h + b.at(g);
    c = logistic(sums[2]) * c + logistic(sums[0]) * std::tanh(sums[3]);
    h = logistic(sums[1]) * std::tanh(c);
    expected.push_back(static_cast<float>(h));
  }
  const std::string operands = " w:1x4x1 w:1x4x1 w:1x8 _ 1x1x1 1x1x1 hidden_size=1";
  EXPECT_THAT(floats("lstm 2x1x1" + operands, data), Pointwise(FloatNear(1e-6F), expected));
  std::swap(data[0], data[1]);
  std::ranges::reverse(expected);
  EXPECT_THAT(floats("lstm 2x1x1" + operands + " direction=reverse", data),
              Pointwise(FloatNear(1e-6F), expected));
  EXPECT_EQ(shape("lstm 5x2x3 w:2x16x3 w:2x16x4 hidden_size=4 direction=bidirectional"),
            (Shape{5, 2, 2, 4}));
}

/// The first line of the error that a text gives.
std::string fault(const std::string& text) {
  const auto workload = parse_workload(text);
  return workload ? "none" : workload.error().message;
}

TEST(Reference, RefusesSequencesThatDoNotFit) {
  using ::testing::HasSubstr;
  const std::string x = "lstm 5x2x3 ";
  EXPECT_THAT(fault(x + "w:1x16x2 w:1x16x4 hidden_size=4"),
              HasSubstr("weights 1x16x2 is not 1x16x3"));
  EXPECT_THAT(fault(x + "w:1x16x3 w:1x12x4 hidden_size=4"),
              HasSubstr("recurrence weights 1x12x4 is not 1x16x4"));
  EXPECT_THAT(fault(x + "w:1x16x3 w:1x16x4 w:1x16 hidden_size=4"),
              HasSubstr("bias 1x16 is not 1x32"));
  EXPECT_THAT(fault(x + "w:1x16x3 w:1x16x4 hidden_size=3"), HasSubstr("hidden_size 3 is not 4"));
  EXPECT_THAT(fault(x + "w:1x16x3 w:1x16x4 hidden_size=4 direction=bidirectional"),
              HasSubstr("recurrence weights 1x16x4 are of 1 directions"));
  EXPECT_THAT(fault(x + "w:1x16x3 w:1x16x4 _ 3:int32 hidden_size=4"),
              HasSubstr("sequence lengths 3 is not 2"));
  EXPECT_THAT(fault(x + "w:1x16x3 w:1x16x4 hidden_size=4 direction=backward"),
              HasSubstr("backward"));
}

}  // namespace
}  // namespace opbench
