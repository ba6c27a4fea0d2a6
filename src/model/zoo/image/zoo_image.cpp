#include "model/zoo/image/zoo_image.h"

namespace opbench {

std::string conv_bn(ZooBuilder& b, const std::string& name, const std::string& x,
                    const ConvOptions& options, float epsilon) {
  return b.batch_norm(name + "_bn", b.conv(name, x, options), {.epsilon = epsilon});
}

std::string swish(ZooBuilder& b, const std::string& name, const std::string& x) {
  return binary(b, "Mul", name, x, unary(b, "Sigmoid", name + "_sigmoid", x));
}

std::string hard_swish(ZooBuilder& b, const std::string& name, const std::string& x) {
  b.use_opset(14);
  return unary(b, "HardSwish", name, x);
}

std::string upsample(ZooBuilder& b, const std::string& name, const std::string& x) {
  Shape shape = b.shape_of(x);
  shape[2] *= 2;
  shape[3] *= 2;
  constexpr std::array kScales = {1.0F, 1.0F, 2.0F, 2.0F};
  const std::string scales = b.constant(
      "upsample_scale_table", Tensor::of<float>(DataType::kFloat32, {4}, std::span(kScales)));
  return b.node("Resize", name, {x, "", scales},
                {{"mode", std::string("nearest")},
                 {"nearest_mode", std::string("floor")},
                 {"coordinate_transformation_mode", std::string("asymmetric")}},
                std::move(shape));
}

std::string conv_transpose(ZooBuilder& b, const std::string& name, const std::string& x,
                           int64_t channels, int64_t stride) {
  const Shape in = b.shape_of(x);
  // Every result is a sum over the channels of one position.
  std::vector<std::string> inputs = {
      x, b.normal_weight(name + "_weight", {in[1], channels, stride, stride}, in[1]),
      b.uniform_weight(name + "_bias", {channels}, -0.05F, 0.05F)};
  Shape out = {in[0], channels, in[2] * stride, in[3] * stride};
  b.count_multiply_adds(element_count(out) * in[1]);
  return b.node(
      "ConvTranspose", name, std::move(inputs),
      {{"kernel_shape", std::vector{stride, stride}}, {"strides", std::vector{stride, stride}}},
      std::move(out));
}

std::string excitation(ZooBuilder& b, const std::string& name, const std::string& x,
                       const ExcitationOptions& options) {
  const int64_t channels = b.shape_of(x)[1];
  std::string y = b.global_average_pool(name + "_pool", x);
  y = b.conv(name + "_squeeze", y, {.channels = options.channels, .bias = true});
  y = options.is_swish ? swish(b, name + "_swish", y) : b.relu(name + "_relu", y);
  y = b.conv(name + "_expand", y, {.channels = channels, .bias = true});
  if (options.is_hard) {
    y = b.node("HardSigmoid", name + "_gate", {y}, {{"alpha", 1.0F / 6.0F}}, b.shape_of(y));
  } else {
    y = unary(b, "Sigmoid", name + "_gate", y);
  }
  return binary(b, "Mul", name, x, y);
}

std::string classifier(ZooBuilder& b, const std::string& x) {
  const std::string y = b.flatten("flatten", b.global_average_pool("global_pool", x));
  return b.softmax("softmax", b.dense("fc", y, 1000));
}

}  // namespace opbench
