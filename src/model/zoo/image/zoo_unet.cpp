#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// U-Net (Ronneberger et al. 2015) with batch norms and 32 channels at full size, as in PyTorch
// Hub's model for segmentation of magnetic-resonance images (Buda et al. 2019).

namespace opbench {
namespace {

constexpr int64_t kZooUnetChannels = 32;
constexpr int kLevels = 4;

std::string two_convs(ZooBuilder& b, const std::string& name, const std::string& x,
                      int64_t channels) {
  const ConvOptions options = {.channels = channels, .kernel = {3}, .pad = {1}};
  return b.conv_bn_relu(name + "_conv2", b.conv_bn_relu(name + "_conv1", x, options), options);
}

std::string unet(ZooBuilder& b) {
  std::vector<std::string> levels;
  std::string x = b.input({3, 256, 256});
  for (int i = 0; i < kLevels; ++i) {
    const std::string number = std::to_string(i + 1);
    levels.push_back(two_convs(b, "encoder" + number, x, kZooUnetChannels << i));
    x = b.max_pool("pool" + number, levels.back(), {.kernel = {2}, .stride = {2}});
  }
  x = two_convs(b, "bottleneck", x, kZooUnetChannels << kLevels);
  for (int i = kLevels - 1; i >= 0; --i) {
    const std::string number = std::to_string(i + 1);
    x = conv_transpose(b, "up" + number, x, kZooUnetChannels << i, 2);
    x = b.concat("concat" + number, {x, levels.at(static_cast<size_t>(i))});
    x = two_convs(b, "decoder" + number, x, kZooUnetChannels << i);
  }
  return unary(b, "Sigmoid", "sigmoid", b.conv("conv", x, {.channels = 1, .bias = true}));
}

}  // namespace

std::vector<ZooModel> unet_models() {
  return {{{"unet", "local", "U-Net, 32 channels at full size, 3x256x256"}, unet}};
}

}  // namespace opbench
