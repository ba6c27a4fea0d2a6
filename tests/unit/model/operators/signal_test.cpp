#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "node_runner.h"
#include "reference_runner.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

MATCHER(IsNear, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) < 1e-6F; }

Tensor integer(int64_t value) { return tensor_of<int64_t>(DataType::kInt64, {}, {value}); }

TEST(WindowFunction, IsPeriodicOrSymmetric) {
  EXPECT_THAT(floats("hann_window =4:int64", {}), Pointwise(IsNear(), Floats{0, 0.5F, 1, 0.5F}));
  EXPECT_THAT(floats("hann_window =5:int64 periodic=0", {}),
              Pointwise(IsNear(), Floats{0, 0.5F, 1, 0.5F, 0}));
  EXPECT_THAT(floats("hamming_window =2:int32", {}), Pointwise(IsNear(), Floats{4.0F / 46, 1}));
  EXPECT_THAT(floats("blackman_window =4:int64", {}),
              Pointwise(IsNear(), Floats{0, 0.34F, 1, 0.34F}));
}

TEST(WindowFunction, MayBeShortAndOfOtherTypes) {
  EXPECT_THAT(floats("hann_window =1:int64 periodic=0", {}), ElementsAre(1));
  EXPECT_THAT(floats("hann_window =0:int64", {}), ElementsAre());
  EXPECT_THAT(
      result_of<double>(node_of("HannWindow", {{"output_datatype", int64_t{11}}}), {integer(2)}),
      ElementsAre(0, 1));
}

TEST(WindowFunction, RefusesOtherSizesAndTypes) {
  EXPECT_THAT(refusal(node_of("HannWindow"), {integer(-1)}), HasSubstr("size -1 is below 0"));
  EXPECT_THAT(refusal(node_of("HannWindow", {{"output_datatype", int64_t{8}}}), {integer(2)}),
              HasSubstr("does not make ONNX type 8"));
  EXPECT_FALSE(parse_workload("hann_window scalar:int64"));
  EXPECT_EQ(text_of(parse_workload("hann_window =8:int64 periodic=1").value()),
            "hann_window =8:int64");
}

TEST(MelWeightMatrix, IsTrianglesOverTheBins) {
  const std::vector<Tensor> inputs = {integer(1), integer(8), integer(9000), float_tensor({}, {0}),
                                      float_tensor({}, {4000})};
  // Edges at 0, 620.6 and 1791.3 Hz, a third of 2146 mel apart: bins 0, 0 and 1 of 1000 Hz.
  EXPECT_THAT(result_of(node_of("MelWeightMatrix"), inputs), ElementsAre(1, 0, 0, 0, 0));
  std::vector<Tensor> wide = inputs;
  wide[1] = integer(80);
  wide[2] = integer(8100);
  // Bins 0, 6 and 17 of 100 Hz.
  const auto weights = result_of(node_of("MelWeightMatrix"), wide);
  ASSERT_EQ(weights.size(), 41U);
  EXPECT_THAT(weights[3], FloatNear(0.5F, 1e-6F));
  EXPECT_THAT(weights[6], FloatNear(1, 1e-6F));
  EXPECT_THAT(weights[12], FloatNear(5.0F / 11, 1e-6F));
  EXPECT_EQ(weights[17], 0);
}

TEST(MelWeightMatrix, RefusesEdgesOutsideTheSpectrum) {
  EXPECT_THAT(refusal(node_of("MelWeightMatrix"), {integer(2), integer(8), integer(100),
                                                   float_tensor({}, {0}), float_tensor({}, {900})}),
              HasSubstr("lies outside the spectrum of 5 bins"));
  EXPECT_THAT(refusal(node_of("MelWeightMatrix"), {integer(0), integer(8), integer(100),
                                                   float_tensor({}, {0}), float_tensor({}, {9})}),
              HasSubstr("num_mel_bins 0 is below 1"));
  EXPECT_EQ(shape("mel_weight_matrix =3:int64 =16:int64 =8000:int64 scalar scalar"), (Shape{9, 3}));
}

TEST(Dft, TransformsRealNumbers) {
  EXPECT_THAT(floats("dft 1x4x1", {1, 2, 3, 4}),
              Pointwise(IsNear(), Floats{10, 0, -2, 2, -2, 0, -2, -2}));
  EXPECT_THAT(floats("dft 1x4x1 onesided=1", {1, 2, 3, 4}),
              Pointwise(IsNear(), Floats{10, 0, -2, 2, -2, 0}));
}

TEST(Dft, InvertsItself) {
  const Floats data = {1, -1, 2, 0.5F, 0, 3};
  EXPECT_THAT(floats("dft 1x3x2; dft inverse=1", data), Pointwise(IsNear(), data));
  EXPECT_THAT(floats("dft 3x1x2 axis=0; dft inverse=1 axis=-3", data), Pointwise(IsNear(), data));
}

TEST(Dft, PadsAndCutsToItsLength) {
  EXPECT_THAT(floats("dft 1x1x1 =2:int64", {3}), Pointwise(IsNear(), Floats{3, 0, 3, 0}));
  EXPECT_THAT(floats("dft 1x3x1 =2:int64", {3, 1, 9}), Pointwise(IsNear(), Floats{4, 0, 2, 0}));
}

TEST(Dft, TakesItsAxisAsAnInputFromOpset20On) {
  const Tensor x = float_tensor({2, 1, 1}, {3, 1});
  EXPECT_THAT(result_of(node_of("DFT"), {x}, 20), Pointwise(IsNear(), Floats{3, 0, 1, 0}));
  EXPECT_THAT(result_of(node_of("DFT"), {x, omitted(), integer(0)}, 20),
              Pointwise(IsNear(), Floats{4, 0, 2, 0}));
  const Node node = node_of("DFT");
  const std::vector<Tensor> inputs = {x, omitted(), integer(-3)};
  std::map<std::string, Tensor> constants;
  Node named = node;
  named.inputs = {"x", "", "axis"};
  const Node modern = operator_of(node)->modern_form(call_over(named, inputs, 20), constants);
  EXPECT_EQ(modern.attributes, (Attributes{{"axis", int64_t{0}}}));
  EXPECT_EQ(modern.inputs.size(), 2U);
}

TEST(Dft, RefusesWhatDoesNotFit) {
  const Tensor complex = float_tensor({1, 1, 2}, {1, 2});
  EXPECT_THAT(refusal(node_of("DFT", {{"onesided", int64_t{1}}}), {complex}),
              HasSubstr("onesided 1 does not go with complex numbers"));
  EXPECT_THAT(refusal(node_of("DFT", {{"axis", int64_t{-1}}}), {complex}),
              HasSubstr("axis -1 is that of the parts of numbers"));
  EXPECT_THAT(refusal(node_of("DFT"), {float_tensor({1, 1, 3}, {1, 2, 3})}),
              HasSubstr("numbers of 3 parts in 1x1x3"));
  EXPECT_THAT(refusal(node_of("DFT"), {complex, integer(0)}), HasSubstr("dft_length 0 is below 1"));
  EXPECT_THAT(refusal(node_of("DFT"), {float_tensor({1, 0, 1}, {})}),
              HasSubstr("has nothing to transform in 1x0x1"));
}

TEST(Stft, TransformsEveryFrame) {
  EXPECT_THAT(floats("stft 1x4 =2:int64 _ =2:int64", {1, 2, 5, 3}),
              Pointwise(IsNear(), Floats{3, 0, -1, 0, 8, 0, 2, 0}));
  EXPECT_THAT(floats("stft 1x3x1 =1:int64 2", {1, 2, 5, 1, 0}),
              Pointwise(IsNear(), Floats{1, 0, 1, 0, 2, 0, 2, 0}));
  EXPECT_THAT(floats("stft 1x1x2 =1:int64 _ =1:int64 onesided=0", {1, 2}),
              Pointwise(IsNear(), Floats{1, 2}));
  EXPECT_EQ(shape("stft 2x128x1 =8:int64 w:16"), (Shape{2, 15, 9, 2}));
  EXPECT_EQ(shape("stft 2x128x1 =8:int64 w:16 onesided=0"), (Shape{2, 15, 16, 2}));
}

TEST(Stft, RefusesWhatDoesNotFit) {
  const Tensor x = float_tensor({1, 2}, {1, 2});
  const Node node = node_of("STFT");
  EXPECT_THAT(refusal(node, {x, integer(1)}), HasSubstr("has neither window nor frame_length"));
  EXPECT_THAT(refusal(node, {x, integer(0), x}), HasSubstr("frame_step 0 is below 1"));
  EXPECT_THAT(refusal(node, {x, integer(1), omitted(), integer(3)}),
              HasSubstr("a frame of 3 does not fit into 2 samples"));
  EXPECT_THAT(refusal(node, {x, integer(1), float_tensor({1}, {1}), integer(2)}),
              HasSubstr("a window of 1 does not fit frame_length 2"));
  EXPECT_THAT(refusal(node, {float_tensor({1, 1, 2}, {1, 2}), integer(1), omitted(), integer(1)}),
              HasSubstr("onesided 1 does not go with complex numbers"));
}

}  // namespace
}  // namespace opbench
