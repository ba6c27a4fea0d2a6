#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// ResNet with post-activation (He et al. 2015, "Deep residual learning"), a bottleneck's stride on
// its 3x3 convolution, as in torchvision.

namespace opbench {
namespace {

struct ZooResnetV1Block {
  std::string name;
  int64_t width = 0;
  int64_t stride = 1;
  bool bottleneck = false;
  int64_t channels() const { return bottleneck ? 4 * width : width; }
};

std::string zoo_resnet_v1_residual_block(ZooBuilder& b, const ZooResnetV1Block& block,
                                         const std::string& x) {
  const Extents stride = {block.stride, block.stride};
  const ConvOptions strided = {
      .channels = block.width, .kernel = {3, 3}, .stride = stride, .pad = {1, 1}};
  std::string y = x;
  if (block.bottleneck) {
    y = b.conv_bn_relu(block.name + "_conv1", y, {.channels = block.width});
    y = b.conv_bn_relu(block.name + "_conv2", y, strided);
    y = conv_bn(b, block.name + "_conv3", y, {.channels = block.channels()});
  } else {
    y = b.conv_bn_relu(block.name + "_conv1", y, strided);
    y = conv_bn(b, block.name + "_conv2", y,
                {.channels = block.width, .kernel = {3, 3}, .pad = {1, 1}});
  }
  std::string shortcut = x;
  if (block.stride != 1 || b.shape_of(x)[1] != block.channels()) {
    shortcut =
        conv_bn(b, block.name + "_downsample", x, {.channels = block.channels(), .stride = stride});
  }
  return b.relu(block.name + "_relu", b.add(block.name + "_add", y, shortcut));
}

std::string zoo_resnet_v1_resnet(ZooBuilder& b, const std::array<int, 4>& blocks, bool bottleneck) {
  std::string x =
      b.conv_bn_relu("conv1", b.input({3, 224, 224}),
                     {.channels = 64, .kernel = {7, 7}, .stride = {2, 2}, .pad = {3, 3}});
  x = b.max_pool("maxpool", x, {.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}});
  for (size_t layer = 0; layer < blocks.size(); ++layer) {
    for (int i = 0; i < blocks.at(layer); ++i) {
      const std::string name = "layer" + std::to_string(layer + 1) + "_" + std::to_string(i);
      x = zoo_resnet_v1_residual_block(b,
                                       {.name = name,
                                        .width = int64_t{64} << layer,
                                        .stride = layer > 0 && i == 0 ? 2 : 1,
                                        .bottleneck = bottleneck},
                                       x);
    }
  }
  x = b.flatten("flatten", b.global_average_pool("avgpool", x));
  return b.softmax("softmax", b.dense("fc", x, 1000));
}

std::string zoo_resnet_v1_resnet_18(ZooBuilder& b) {
  return zoo_resnet_v1_resnet(b, {2, 2, 2, 2}, false);
}
std::string zoo_resnet_v1_resnet_34(ZooBuilder& b) {
  return zoo_resnet_v1_resnet(b, {3, 4, 6, 3}, false);
}
std::string zoo_resnet_v1_resnet_50(ZooBuilder& b) {
  return zoo_resnet_v1_resnet(b, {3, 4, 6, 3}, true);
}

}  // namespace

std::vector<ZooModel> resnet_v1_models() {
  return {
      {{"resnet18-v1", "local", "ResNet 18, post-activation, 3x224x224"}, zoo_resnet_v1_resnet_18},
      {{"resnet34-v1", "local", "ResNet 34, post-activation, 3x224x224"}, zoo_resnet_v1_resnet_34},
      {{"resnet50-v1", "local", "ResNet 50, post-activation, 3x224x224"}, zoo_resnet_v1_resnet_50},
  };
}

}  // namespace opbench
