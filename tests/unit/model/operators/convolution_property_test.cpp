#include <gtest/gtest.h>

#include <cmath>

#include "base/numbers/random.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

/// A convolution drawn at random, two spatial axes.
struct Case {
  int64_t images, groups, in, out, height, width, kernel_y, kernel_x;
  int64_t stride_y, stride_x, dilation_y, dilation_x, top, left, bottom, right;

  std::string text() const {
    const auto n = [](int64_t v) { return std::to_string(v); };
    return "conv2d " + n(images) + "x" + n(in * groups) + "x" + n(height) + "x" + n(width) +
           " w:" + n(out * groups) + "x" + n(in) + "x" + n(kernel_y) + "x" + n(kernel_x) +
           " dilations=" + n(dilation_y) + "," + n(dilation_x) + " group=" + n(groups) +
           " pads=" + n(top) + "," + n(left) + "," + n(bottom) + "," + n(right) +
           " strides=" + n(stride_y) + "," + n(stride_x);
  }
};

Case draw(Random& random) {
  const auto from = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random.below(static_cast<uint64_t>(high - low + 1)));
  };
  return {from(1, 2), from(1, 3), from(1, 4), from(1, 4), from(7, 12), from(7, 12),
          from(1, 3), from(1, 4), from(1, 3), from(1, 3), from(1, 2),  from(1, 2),
          from(0, 2), from(0, 3), from(0, 3), from(0, 2)};
}

/// The defining sum in double, and the multiply-adds that meet input.
struct Brute {
  std::vector<double> y;
  int64_t taps = 0;
};

double at_output(const Case& c, std::span<const float> x, std::span<const float> w, int64_t n,
                 int64_t channel, int64_t oy, int64_t ox, int64_t& taps) {
  double sum = 0;
  const int64_t group = channel / c.out;
  for (int64_t i = 0; i < c.in * c.kernel_y * c.kernel_x; ++i) {
    const int64_t kx = i % c.kernel_x;
    const int64_t ky = i / c.kernel_x % c.kernel_y;
    const int64_t ic = i / c.kernel_x / c.kernel_y;
    const int64_t iy = oy * c.stride_y - c.top + ky * c.dilation_y;
    const int64_t ix = ox * c.stride_x - c.left + kx * c.dilation_x;
    if (iy < 0 || iy >= c.height || ix < 0 || ix >= c.width) continue;
    ++taps;
    const int64_t plane = n * c.in * c.groups + group * c.in + ic;
    sum += static_cast<double>(x[(plane * c.height + iy) * c.width + ix]) *
           w[channel * c.in * c.kernel_y * c.kernel_x + i];
  }
  return sum;
}

Brute brute(const Case& c, const Shape& shape, std::span<const float> x, std::span<const float> w) {
  Brute result;
  for (int64_t i = 0; i < element_count(shape); ++i) {
    const int64_t ox = i % shape[3];
    const int64_t oy = i / shape[3] % shape[2];
    const int64_t channel = i / shape[3] / shape[2] % shape[1];
    const int64_t n = i / shape[3] / shape[2] / shape[1];
    result.y.push_back(at_output(c, x, w, n, channel, oy, ox, result.taps));
  }
  return result;
}

TEST(Convolution, IsItsDefiningSumAndCountsOnlyWhatMeetsInput) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = draw(random);
    const auto workload = parse_workload(c.text());
    ASSERT_TRUE(workload) << c.text() << "\n" << to_text(workload.error());
    std::vector<Tensor> inputs;
    for (const Value& value : workload->graph.inputs) {
      inputs.push_back(Tensor::empty(workload->graph.types.at(value.name)));
      random.fill_normal(inputs.back().as<float>(), 1.0F);
    }
    const Tensor y = run_reference(*workload, inputs).value();
    const Brute expected = brute(c, y.type.shape, inputs[0].as<float>(), inputs[1].as<float>());
    EXPECT_EQ(flops_of(*workload), 2.0 * static_cast<double>(expected.taps)) << c.text();
    for (size_t i = 0; i < expected.y.size(); ++i) {
      ASSERT_NEAR(y.as<float>()[i], expected.y[i], 1e-5) << c.text() << " element " << i;
    }
    const std::string text = text_of(*workload);
    EXPECT_EQ(text_of(parse_workload(text).value()), text);
  }
}

/// <conv(x), z> = <x, conv_transpose(z)> for the same filters: they are adjoint.
TEST(Convolution, HasItsTransposeAsAdjoint) {
  const auto forward = parse_workload("conv2d 1x4x9x8 w:6x4x3x2 pads=1,1,0,1 strides=2,2").value();
  const Shape y = forward.graph.types.at("y").shape;
  const auto backward = parse_workload("conv_transpose " + shape_text(y) +
                                       " w:6x4x3x2 pads=1,1,0,1 strides=2,2 output_padding=1,0")
                            .value();
  ASSERT_EQ(backward.graph.types.at("y").shape, (Shape{1, 4, 9, 8}));
  Random random(3);
  Tensor x = Tensor::empty({DataType::kFloat32, {1, 4, 9, 8}});
  Tensor w = Tensor::empty({DataType::kFloat32, {6, 4, 3, 2}});
  Tensor z = Tensor::empty({DataType::kFloat32, y});
  for (Tensor* tensor : {&x, &w, &z}) random.fill_normal(tensor->as<float>(), 1.0F);
  const auto dot = [](const Tensor& a, const Tensor& b) {
    double sum = 0;
    for (size_t i = 0; i < a.as<float>().size(); ++i) {
      sum += static_cast<double>(a.as<float>()[i]) * b.as<float>()[i];
    }
    return sum;
  };
  EXPECT_NEAR(dot(run_reference(forward, {x, w}).value(), z),
              dot(x, run_reference(backward, {z, w}).value()), 1e-3);
  EXPECT_EQ(flops_of(forward), flops_of(backward));
}

TEST(Convolution, CountsInThreeDimensions) {
  // 2x2x2 filter over 2x2x2 with a pad of 1 everywhere: 27 outputs, each input met 8 times.
  const auto w = parse_workload("conv2d 1x1x2x2x2 w:1x1x2x2x2 pads=1,1,1,1,1,1").value();
  EXPECT_EQ(w.graph.types.at("y").shape, (Shape{1, 1, 3, 3, 3}));
  EXPECT_EQ(flops_of(w), 2.0 * 8 * 8);
}

TEST(Convolution, PoolsCountTheirTaps) {
  const auto w = parse_workload("max_pool 1x1x4x4 kernel_shape=3,3 pads=1,1,1,1").value();
  EXPECT_EQ(flops_of(w), 100);  // (2 + 3 + 3 + 2)^2
}

}  // namespace
}  // namespace opbench
