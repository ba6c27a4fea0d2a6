#include "model/zoo/zoo_models.h"

// VGG (Simonyan, Zisserman 2014), configurations D and E; AlexNet in the one-tower form of
// Krizhevsky 2014, with torchvision's channel counts. Biases everywhere.

namespace opbench {
namespace {

/// Two hidden layers of 4096 and the classes. VGG drops out after them, AlexNet before.
std::string zoo_vgg_classifier(ZooBuilder& b, std::string x, bool dropout_first) {
  x = b.flatten("flatten", x);
  for (const std::string number : {"6", "7"}) {
    if (dropout_first) x = b.dropout("dropout" + number, x);
    x = b.relu("relu" + number, b.dense("fc" + number, x, 4096));
    if (!dropout_first) x = b.dropout("dropout" + number, x);
  }
  return b.softmax("softmax", b.dense("fc8", x, 1000));
}

std::string zoo_vgg(ZooBuilder& b, const std::array<int, 5>& layers) {
  constexpr std::array<int64_t, 5> kChannels = {64, 128, 256, 512, 512};
  std::string x = b.input({3, 224, 224});
  for (size_t stage = 0; stage < layers.size(); ++stage) {
    const std::string number = std::to_string(stage + 1);
    for (int i = 1; i <= layers.at(stage); ++i) {
      const std::string place = number + "_" + std::to_string(i);
      x = b.conv("conv" + place, x,
                 {.channels = kChannels.at(stage), .kernel = {3, 3}, .pad = {1, 1}, .bias = true});
      x = b.relu("relu" + place, x);
    }
    x = b.max_pool("pool" + number, x, {.kernel = {2, 2}, .stride = {2, 2}});
  }
  return zoo_vgg_classifier(b, x, false);
}

std::string vgg_16(ZooBuilder& b) { return zoo_vgg(b, {2, 2, 3, 3, 3}); }
std::string vgg_19(ZooBuilder& b) { return zoo_vgg(b, {2, 2, 4, 4, 4}); }

std::string alexnet(ZooBuilder& b) {
  const PoolOptions pool = {.kernel = {3, 3}, .stride = {2, 2}};
  const std::array<ConvOptions, 5> convs = {
      ConvOptions{.channels = 64, .kernel = {11, 11}, .stride = {4, 4}, .pad = {2, 2}},
      ConvOptions{.channels = 192, .kernel = {5, 5}, .pad = {2, 2}},
      ConvOptions{.channels = 384, .kernel = {3, 3}, .pad = {1, 1}},
      ConvOptions{.channels = 256, .kernel = {3, 3}, .pad = {1, 1}},
      ConvOptions{.channels = 256, .kernel = {3, 3}, .pad = {1, 1}}};
  std::string x = b.input({3, 224, 224});
  int number = 1;
  for (ConvOptions options : convs) {
    const std::string place = std::to_string(number);
    options.bias = true;
    x = b.relu("relu" + place, b.conv("conv" + place, x, options));
    if (number <= 2 || number == 5) x = b.max_pool("pool" + place, x, pool);
    ++number;
  }
  return zoo_vgg_classifier(b, x, true);
}

}  // namespace

std::vector<ZooModel> vgg_models() {
  return {
      {{"vgg-16", "local", "VGG 16, 3x224x224"}, vgg_16},
      {{"vgg-19", "local", "VGG 19, 3x224x224"}, vgg_19},
      {{"alexnet", "local", "AlexNet, one tower, 3x224x224"}, alexnet},
  };
}

}  // namespace opbench
