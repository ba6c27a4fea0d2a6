#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// EfficientNet-B0 (Tan and Le 2019), as in torchvision.

namespace opbench {
namespace {

/// A row of table 1 of the paper; the stride is the first block's.
struct ZooEfficientnetStage {
  int64_t expansion = 1;
  int64_t kernel = 3;
  int64_t stride = 1;
  int64_t channels = 0;
  int count = 1;
};

constexpr std::array kZooEfficientnetStages = {
    ZooEfficientnetStage{1, 3, 1, 16, 1},  ZooEfficientnetStage{6, 3, 2, 24, 2},
    ZooEfficientnetStage{6, 5, 2, 40, 2},  ZooEfficientnetStage{6, 3, 2, 80, 3},
    ZooEfficientnetStage{6, 5, 1, 112, 3}, ZooEfficientnetStage{6, 5, 2, 192, 4},
    ZooEfficientnetStage{6, 3, 1, 320, 1}};

std::string conv_bn_swish(ZooBuilder& b, const std::string& name, const std::string& x,
                          const ConvOptions& options) {
  return swish(b, name + "_swish", conv_bn(b, name, x, options));
}

std::string block_of(ZooBuilder& b, const std::string& name, const std::string& x,
                     const ZooEfficientnetStage& stage, int64_t stride) {
  const int64_t in = b.shape_of(x)[1];
  const int64_t wide = in * stage.expansion;
  std::string y = x;
  if (stage.expansion > 1) {
    y = conv_bn_swish(b, name + "_expand", y, {.channels = wide, .gain = kAfterLinear});
  }
  y = conv_bn_swish(b, name + "_depthwise", y,
                    {.channels = wide,
                     .kernel = {stage.kernel},
                     .stride = {stride},
                     .pad = {stage.kernel / 2},
                     .groups = wide,
                     .gain = kAfterSwish});
  y = excitation(b, name + "_se", y, {.channels = in / 4, .is_swish = true});
  y = conv_bn(b, name + "_project", y,
              {.channels = stage.channels, .gain = kAdded * kAfterSwish * kAfterGate});
  return b.shape_of(y) == b.shape_of(x) ? b.add(name + "_add", x, y) : y;
}

std::string efficientnet_b0(ZooBuilder& b) {
  std::string x = conv_bn_swish(b, "conv1", b.input({3, 224, 224}),
                                {.channels = 32, .kernel = {3}, .stride = {2}, .pad = {1}});
  int number = 1;
  for (const ZooEfficientnetStage& stage : kZooEfficientnetStages) {
    for (int i = 0; i < stage.count; ++i) {
      const std::string name = "block" + std::to_string(number++);
      x = block_of(b, name, x, stage, i == 0 ? stage.stride : 1);
    }
  }
  return classifier(b, conv_bn_swish(b, "conv_last", x, {.channels = 1280, .gain = kAfterLinear}));
}

}  // namespace

std::vector<ZooModel> efficientnet_models() {
  return {{{"efficientnet-b0", "local", "EfficientNet B0, 3x224x224"}, efficientnet_b0}};
}

}  // namespace opbench
