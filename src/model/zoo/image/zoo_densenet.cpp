#include "model/zoo/zoo_models.h"

// DenseNet-121 (Huang et al. 2017): growth 32, bottlenecks of 128 channels, halved between blocks.

namespace opbench {
namespace {

std::string zoo_densenet_bn_relu(ZooBuilder& b, const std::string& prefix,
                                 const std::string& number, const std::string& x) {
  return b.relu(prefix + "_relu" + number, b.batch_norm(prefix + "_bn" + number, x));
}

std::string dense_layer(ZooBuilder& b, const std::string& name, const std::string& x) {
  constexpr int64_t kGrowth = 32;
  std::string y = zoo_densenet_bn_relu(b, name, "1", x);
  y = b.conv(name + "_conv1", y, {.channels = 4 * kGrowth});
  y = zoo_densenet_bn_relu(b, name, "2", y);
  y = b.conv(name + "_conv2", y, {.channels = kGrowth, .kernel = {3, 3}, .pad = {1, 1}});
  return b.concat(name + "_concat", {x, y});
}

std::string densenet_121(ZooBuilder& b) {
  constexpr std::array<int, 4> kLayers = {6, 12, 24, 16};
  std::string x =
      b.conv_bn_relu("conv0", b.input({3, 224, 224}),
                     {.channels = 64, .kernel = {7, 7}, .stride = {2, 2}, .pad = {3, 3}});
  x = b.max_pool("pool0", x, {.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}});
  for (size_t block = 0; block < kLayers.size(); ++block) {
    const std::string number = std::to_string(block + 1);
    for (int i = 1; i <= kLayers.at(block); ++i) {
      x = dense_layer(b, "block" + number + "_layer" + std::to_string(i), x);
    }
    if (block + 1 == kLayers.size()) break;
    const std::string name = "transition" + number;
    x = zoo_densenet_bn_relu(b, name, "", x);
    x = b.conv(name + "_conv", x, {.channels = b.shape_of(x)[1] / 2});
    x = b.average_pool(name + "_pool", x, {.kernel = {2, 2}, .stride = {2, 2}});
  }
  x = zoo_densenet_bn_relu(b, "final", "", x);
  x = b.flatten("flatten", b.global_average_pool("global_pool", x));
  return b.softmax("softmax", b.dense("classifier", x, 1000));
}

}  // namespace

std::vector<ZooModel> densenet_models() {
  return {{{"densenet-121", "local", "DenseNet 121, 3x224x224"}, densenet_121}};
}

}  // namespace opbench
