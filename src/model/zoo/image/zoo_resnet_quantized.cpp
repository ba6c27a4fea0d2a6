#include "model/zoo/zoo_models.h"
#include "model/zoo/zoo_quantized.h"

// ResNet-50 with post-activation as a quantising tool writes it: batch norms folded away, 8-bit
// values between QuantizeLinear and DequantizeLinear.

namespace opbench {
namespace {

struct ZooResnetQuantizedBlock {
  std::string name;
  int64_t width = 0;
  int64_t stride = 1;
  bool is_first = false;  ///< of its stage
};

QuantizedValue zoo_resnet_quantized_residual_block(QuantizedBuilder& q,
                                                   const ZooResnetQuantizedBlock& block,
                                                   const QuantizedValue& x) {
  const int64_t channels = 4 * block.width;
  QuantizedValue y = q.conv(block.name + "_conv1", x, {.channels = block.width}, true);
  y = q.conv(block.name + "_conv2", y,
             {.channels = block.width, .kernel = {3}, .stride = {block.stride}, .pad = {1}}, true);
  y = q.conv(block.name + "_conv3", y, {.channels = channels, .gain = 1}, false);
  if (!block.is_first) return q.add_relu(block.name + "_add", y, x);
  const QuantizedValue shortcut =
      q.conv(block.name + "_downsample", x,
             {.channels = channels, .stride = {block.stride}, .gain = 1}, false);
  return q.add_relu(block.name + "_add", y, shortcut);
}

std::string resnet50_qdq(ZooBuilder& b) {
  constexpr std::array kBlocks = {3, 4, 6, 3};
  // Of a picture whose values are uniform between -1 and 1.
  constexpr double kMeanSquare = 1.0 / 3.0;
  QuantizedBuilder q(b);
  QuantizedValue x = q.quantized(b.input({3, 224, 224}), kMeanSquare, true);
  x = q.conv("conv1", x, {.channels = 64, .kernel = {7}, .stride = {2}, .pad = {3}}, true);
  const std::string pooled =
      b.max_pool("maxpool", x.name, {.kernel = {3}, .stride = {2}, .pad = {1}});
  x = q.quantized_like(pooled, x);
  x.mean_square *= 2.5;  // of the largest of nine
  for (size_t layer = 0; layer < kBlocks.size(); ++layer) {
    for (int i = 0; i < kBlocks.at(layer); ++i) {
      x = zoo_resnet_quantized_residual_block(
          q,
          {.name = "layer" + std::to_string(layer + 1) + "_" + std::to_string(i),
           .width = int64_t{64} << layer,
           .stride = layer > 0 && i == 0 ? 2 : 1,
           .is_first = i == 0},
          x);
    }
  }
  const std::string flat = b.flatten("flatten", b.global_average_pool("avgpool", x.name));
  return b.softmax("softmax", q.dense("fc", q.quantized(flat, x.mean_square / 2, false), 1000));
}

}  // namespace

std::vector<ZooModel> resnet_quantized_models() {
  return {
      {{"resnet50-qdq", "local", "ResNet 50, post-activation, 8-bit, 3x224x224"}, resnet50_qdq}};
}

}  // namespace opbench
