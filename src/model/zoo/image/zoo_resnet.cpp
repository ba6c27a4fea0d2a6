#include "model/zoo/zoo_models.h"

// ResNet with pre-activation (He et al. 2016, "Identity mappings in deep residual networks"), as in
// TVM's test workload: the input is normalised first, a bottleneck has its stride on the first 1x1,
// and the first unit of every stage has a projection taken after its first BN-ReLU.

namespace opbench {
namespace {

constexpr BatchNormOptions kZooResnetNorm = {.epsilon = 2e-5F};

struct Unit {
  std::string name;
  int64_t channels = 0;
  int64_t stride = 1;
  bool first = false;  ///< of its stage
  bool bottleneck = false;
};

std::string zoo_resnet_bn_relu(ZooBuilder& b, const std::string& prefix, const std::string& number,
                               const std::string& x) {
  return b.relu(prefix + "_relu" + number,
                b.batch_norm(prefix + "_bn" + number, x, kZooResnetNorm));
}

std::string residual_unit(ZooBuilder& b, const Unit& unit, const std::string& x) {
  const std::string prefix = unit.name;
  const Extents stride = {unit.stride};
  const std::string active = zoo_resnet_bn_relu(b, prefix, "1", x);
  std::string y = active;
  if (unit.bottleneck) {
    const int64_t narrow = unit.channels / 4;
    y = b.conv(prefix + "_conv1", y, {.channels = narrow, .stride = stride});
    y = zoo_resnet_bn_relu(b, prefix, "2", y);
    y = b.conv(prefix + "_conv2", y, {.channels = narrow, .kernel = {3}, .pad = {1}});
    y = zoo_resnet_bn_relu(b, prefix, "3", y);
    y = b.conv(prefix + "_conv3", y, {.channels = unit.channels});
  } else {
    y = b.conv(prefix + "_conv1", y,
               {.channels = unit.channels, .kernel = {3}, .stride = stride, .pad = {1}});
    y = zoo_resnet_bn_relu(b, prefix, "2", y);
    y = b.conv(prefix + "_conv2", y, {.channels = unit.channels, .kernel = {3}, .pad = {1}});
  }
  if (!unit.first) return b.add(prefix + "_add", y, x);
  const std::string shortcut =
      b.conv(prefix + "_sc", active, {.channels = unit.channels, .stride = stride});
  return b.add(prefix + "_add", y, shortcut);
}

std::string zoo_resnet(ZooBuilder& b, const Shape& input, const std::array<int, 4>& units,
                       bool bottleneck) {
  std::string x = b.batch_norm("bn_data", b.input(input), {.epsilon = 2e-5F, .scaled = false});
  x = b.conv("conv0", x, {.channels = 64, .kernel = {7}, .stride = {2}, .pad = {3}});
  x = b.relu("relu0", b.batch_norm("bn0", x, kZooResnetNorm));
  x = b.max_pool("pool0", x, {.kernel = {3}, .stride = {2}, .pad = {1}});
  int64_t channels = bottleneck ? 256 : 64;
  for (size_t stage = 0; stage < units.size(); ++stage, channels *= 2) {
    for (int i = 0; i < units.at(stage); ++i) {
      const std::string name =
          "stage" + std::to_string(stage + 1) + "_unit" + std::to_string(i + 1);
      x = residual_unit(b,
                        {.name = name,
                         .channels = channels,
                         .stride = stage > 0 && i == 0 ? 2 : 1,
                         .first = i == 0,
                         .bottleneck = bottleneck},
                        x);
    }
  }
  x = b.relu("relu1", b.batch_norm("bn1", x, kZooResnetNorm));
  x = b.flatten("flatten", b.global_average_pool("global_pool", x));
  return b.softmax("softmax", b.dense("fc1", x, 1000));
}

const Shape kImage = {3, 224, 224};

std::string zoo_resnet_resnet_18(ZooBuilder& b) {
  return zoo_resnet(b, kImage, {2, 2, 2, 2}, false);
}
std::string zoo_resnet_resnet_34(ZooBuilder& b) {
  return zoo_resnet(b, kImage, {3, 4, 6, 3}, false);
}
std::string zoo_resnet_resnet_50(ZooBuilder& b) {
  return zoo_resnet(b, kImage, {3, 4, 6, 3}, true);
}
std::string resnet_101(ZooBuilder& b) { return zoo_resnet(b, kImage, {3, 4, 23, 3}, true); }
std::string resnet_152(ZooBuilder& b) { return zoo_resnet(b, kImage, {3, 8, 36, 3}, true); }

/// With 3-D filters.
std::string resnet3d_18(ZooBuilder& b) {
  return zoo_resnet(b, {3, 16, 112, 112}, {2, 2, 2, 2}, false);
}

}  // namespace

std::vector<ZooModel> resnet_models() {
  return {
      {{"resnet-18", "local", "ResNet 18, pre-activation, 3x224x224"}, zoo_resnet_resnet_18},
      {{"resnet-34", "local", "ResNet 34, pre-activation, 3x224x224"}, zoo_resnet_resnet_34},
      {{"resnet-50", "local", "ResNet 50, pre-activation, 3x224x224"}, zoo_resnet_resnet_50},
      {{"resnet-101", "local", "ResNet 101, pre-activation, 3x224x224"}, resnet_101},
      {{"resnet-152", "local", "ResNet 152, pre-activation, 3x224x224"}, resnet_152},
      {{"resnet3d-18", "local", "ResNet 18 with 3-D filters, 3x16x112x112"}, resnet3d_18},
  };
}

}  // namespace opbench
