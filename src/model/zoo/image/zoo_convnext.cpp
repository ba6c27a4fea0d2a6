#include "model/zoo/image/zoo_image.h"
#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// ConvNeXt tiny (Liu et al. 2022), as in torchvision.

namespace opbench {
namespace {

constexpr float kZooConvnextEpsilon = 1e-6F;

std::string channels_last(ZooBuilder& b, const std::string& name, const std::string& x) {
  return transpose(b, name, x, {0, 2, 3, 1});
}

std::string channels_first(ZooBuilder& b, const std::string& name, const std::string& x) {
  return transpose(b, name, x, {0, 3, 1, 2});
}

/// Over the channels.
std::string zoo_convnext_norm(ZooBuilder& b, const std::string& name, const std::string& x) {
  const std::string y = channels_last(b, name + "_in", x);
  return channels_first(b, name + "_out", layer_norm(b, name, y, kZooConvnextEpsilon));
}

std::string zoo_convnext_block(ZooBuilder& b, const std::string& name, const std::string& x) {
  const int64_t channels = b.shape_of(x)[1];
  std::string y = b.conv(name + "_depthwise", x,
                         {.channels = channels,
                          .kernel = {7},
                          .pad = {3},
                          .groups = channels,
                          .bias = true,
                          .gain = kAfterLinear});
  y = layer_norm(b, name + "_norm", channels_last(b, name + "_in", y), kZooConvnextEpsilon);
  y = linear(b, name + "_up", y, {4 * channels, true, 1.0F});
  y = linear(b, name + "_down", gelu(b, name + "_gelu", y), {channels});
  y = channels_first(b, name + "_out", y);
  // The library begins with 1e-6, training ends near these.
  y = binary(b, "Mul", name + "_scaled", y,
             b.uniform_weight(name + "_scale", {channels, 1, 1}, 0.1F, 0.9F));
  return b.add(name + "_add", y, x);
}

std::string convnext_tiny(ZooBuilder& b) {
  struct Stage {
    int64_t channels;
    int count;
  };
  constexpr std::array kStages = {Stage{96, 3}, Stage{192, 3}, Stage{384, 9}, Stage{768, 3}};
  std::string x = b.input({3, 224, 224});
  int number = 0;
  for (const Stage& stage : kStages) {
    const std::string name = "stage" + std::to_string(number);
    const int64_t stride = number++ == 0 ? 4 : 2;
    if (stride == 2) x = zoo_convnext_norm(b, name + "_norm", x);
    x = b.conv(name + "_down", x,
               {.channels = stage.channels,
                .kernel = {stride},
                .stride = {stride},
                .bias = true,
                .gain = kAfterLinear});
    if (stride == 4) x = zoo_convnext_norm(b, "stem_norm", x);
    for (int i = 0; i < stage.count; ++i) {
      x = zoo_convnext_block(b, name + "_block" + std::to_string(i), x);
    }
  }
  x = b.flatten("flatten", zoo_convnext_norm(b, "norm", b.global_average_pool("global_pool", x)));
  return b.softmax("softmax", b.dense("head", x, 1000));
}

}  // namespace

std::vector<ZooModel> convnext_models() {
  return {{{"convnext-tiny", "local", "ConvNeXt tiny, 3x224x224"}, convnext_tiny}};
}

}  // namespace opbench
