#pragma once

#include <cstdint>
#include <string>

#include "model/zoo/zoo_builder.h"

namespace opbench {

/// A value that was quantised to 8 bits and is float32 again, with what is expected of it. Scales
/// are chosen by construction: weights are random, so the mean square of a result follows from that
/// of the operand.
struct QuantizedValue {
  std::string name;
  double mean_square = 0;
  float scale = 0;
  bool is_signed = false;  ///< zero is in the middle of the range; else its lowest value
};

/// Builds what a quantising tool makes of a network: QuantizeLinear and DequantizeLinear behind
/// every value, 8-bit weights with a scale for each channel, 32-bit biases. Results are named as
/// their nodes.
class QuantizedBuilder {
 public:
  explicit QuantizedBuilder(ZooBuilder& builder) : b_(builder) {}

  /// `<name>_quantized` and `<name>_dequantized`. The range takes five standard deviations.
  QuantizedValue quantized(const std::string& x, double mean_square, bool is_signed);
  /// With the scale of `like`, whose values it has.
  QuantizedValue quantized_like(const std::string& x, const QuantizedValue& like);

  /// Convolution with bias, then ReLU if asked, then quantised.
  QuantizedValue conv(const std::string& name, const QuantizedValue& x, const ConvOptions& options,
                      bool has_relu);
  /// The sum, then ReLU, then quantised.
  QuantizedValue add_relu(const std::string& name, const QuantizedValue& x,
                          const QuantizedValue& y);
  /// A dense layer with bias, not quantised behind. Its results have a variance of about a tenth:
  /// roundings that go the other way add up over the layers, and an exponential behind must not
  /// magnify them.
  std::string dense(const std::string& name, const QuantizedValue& x, int64_t units);

 private:
  /// Normal weights of `shape`, variance `gain / fan_in`, as int8 and back; the scales too.
  std::string weights(const std::string& name, const Shape& shape, float gain, Tensor& scales);
  std::string bias(const std::string& name, float x_scale, const Tensor& scales);
  QuantizedValue with_scale(const std::string& x, double mean_square, float scale, bool is_signed);

  ZooBuilder& b_;
};

}  // namespace opbench
