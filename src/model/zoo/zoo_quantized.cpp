#include "model/zoo/zoo_quantized.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numbers/random.h"
#include "model/zoo/zoo_nodes.h"

namespace opbench {
namespace {

constexpr float kDeviations = 5;
constexpr uint8_t kMiddle = 128;

/// Of `x` with one scale for each of `scales` along axis 0.
std::string dequantize(ZooBuilder& b, const std::string& name, const std::string& x,
                       const Tensor& scales) {
  return b.node("DequantizeLinear", name, {x, b.constant(x + "_scale_table", scales)},
                {{"axis", int64_t{0}}}, b.shape_of(x));
}

}  // namespace

QuantizedValue QuantizedBuilder::with_scale(const std::string& x, double mean_square, float scale,
                                            bool is_signed) {
  const uint8_t zero = is_signed ? kMiddle : 0;
  const std::string factor = b_.constant(x + "_scale", scale);
  const std::string middle = b_.constant(
      x + "_zero_point", Tensor::of<uint8_t>(DataType::kUint8, {}, std::span(&zero, 1)));
  const Shape shape = b_.shape_of(x);
  const std::string y = b_.node("QuantizeLinear", x + "_quantized", {x, factor, middle}, {}, shape);
  const std::string back =
      b_.node("DequantizeLinear", x + "_dequantized", {y, factor, middle}, {}, shape);
  return {back, mean_square, scale, is_signed};
}

QuantizedValue QuantizedBuilder::quantized(const std::string& x, double mean_square,
                                           bool is_signed) {
  const float largest = kDeviations * static_cast<float>(std::sqrt(mean_square));
  return with_scale(x, mean_square, largest / (is_signed ? 127.0F : 255.0F), is_signed);
}

QuantizedValue QuantizedBuilder::quantized_like(const std::string& x, const QuantizedValue& like) {
  return with_scale(x, like.mean_square, like.scale, like.is_signed);
}

std::string QuantizedBuilder::weights(const std::string& name, const Shape& shape, float gain,
                                      Tensor& scales) {
  const int64_t fan_in = element_count(shape) / shape[0];
  std::vector<float> row(static_cast<size_t>(fan_in));
  Tensor tensor = Tensor::empty({DataType::kInt8, shape});
  scales = Tensor::empty({DataType::kFloat32, {shape[0]}});
  Random random = b_.random(name);
  auto* to = reinterpret_cast<int8_t*>(tensor.data.data());
  for (float& scale : scales.as<float>()) {
    random.fill_normal(row, std::sqrt(gain / static_cast<float>(fan_in)));
    float largest = 0;
    for (const float value : row) largest = std::max(largest, std::abs(value));
    scale = largest / 127.0F;
    for (const float value : row) *to++ = static_cast<int8_t>(std::lround(value / scale));
  }
  return dequantize(b_, name + "_dequantized", b_.constant(name, std::move(tensor)), scales);
}

std::string QuantizedBuilder::bias(const std::string& name, float x_scale, const Tensor& scales) {
  std::vector<int32_t> values;
  Tensor products = scales;
  Random random = b_.random(name);
  for (float& scale : products.as<float>()) {
    scale *= x_scale;
    const double value = 0.1 * random.uniform() - 0.05;
    values.push_back(static_cast<int32_t>(std::lround(value / static_cast<double>(scale))));
  }
  const std::string numbers = b_.constant(
      name,
      Tensor::of<int32_t>(DataType::kInt32, scales.type.shape, std::span<const int32_t>(values)));
  return dequantize(b_, name + "_dequantized", numbers, products);
}

QuantizedValue QuantizedBuilder::conv(const std::string& name, const QuantizedValue& x,
                                      const ConvOptions& options, bool has_relu) {
  Tensor scales;
  const Shape filter = b_.filter_shape(x.name, options);
  const std::string weight = weights(name + "_weight", filter, options.gain, scales);
  const std::string added = bias(name + "_bias", x.scale, scales);
  std::string y = b_.conv_of(name, x.name, options, {weight, added});
  const double variance = static_cast<double>(options.gain) * x.mean_square;
  if (!has_relu) return quantized(y, variance, true);
  y = b_.relu(name + "_relu", y);
  // Half of a symmetric distribution; its range is that of the whole.
  QuantizedValue result = with_scale(
      y, variance / 2, kDeviations * static_cast<float>(std::sqrt(variance)) / 255.0F, false);
  return result;
}

QuantizedValue QuantizedBuilder::add_relu(const std::string& name, const QuantizedValue& x,
                                          const QuantizedValue& y) {
  const std::string sum = b_.relu(name + "_relu", b_.add(name, x.name, y.name));
  // Between a half, where both are symmetric, and all, where none is below zero.
  return quantized(sum, 0.7 * (x.mean_square + y.mean_square), false);
}

std::string QuantizedBuilder::dense(const std::string& name, const QuantizedValue& x,
                                    int64_t units) {
  const Shape in = b_.shape_of(x.name);
  Tensor scales;
  const std::string weight =
      weights(name + "_weight", {units, in[1]}, static_cast<float>(0.1 / x.mean_square), scales);
  const std::string added = bias(name + "_bias", x.scale, scales);
  b_.count_multiply_adds(in[0] * in[1] * units);
  return b_.node("Gemm", name, {x.name, weight, added}, {{"transB", int64_t{1}}}, {in[0], units});
}

}  // namespace opbench
