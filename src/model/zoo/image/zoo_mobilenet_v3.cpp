#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// MobileNet v3 large (Howard et al. 2019), width 1, as in torchvision.

namespace opbench {
namespace {

constexpr float kZooMobilenetV3Epsilon = 1e-3F;

/// A row of table 1 of the paper.
struct ZooMobilenetV3Block {
  int64_t kernel = 3;
  int64_t expanded = 0;
  int64_t channels = 0;
  bool is_excited = false;
  bool is_hard = false;  ///< hard swish; else ReLU
  int64_t stride = 1;
};

constexpr std::array kZooMobilenetV3Blocks = {ZooMobilenetV3Block{3, 16, 16, false, false, 1},
                                              ZooMobilenetV3Block{3, 64, 24, false, false, 2},
                                              ZooMobilenetV3Block{3, 72, 24, false, false, 1},
                                              ZooMobilenetV3Block{5, 72, 40, true, false, 2},
                                              ZooMobilenetV3Block{5, 120, 40, true, false, 1},
                                              ZooMobilenetV3Block{5, 120, 40, true, false, 1},
                                              ZooMobilenetV3Block{3, 240, 80, false, true, 2},
                                              ZooMobilenetV3Block{3, 200, 80, false, true, 1},
                                              ZooMobilenetV3Block{3, 184, 80, false, true, 1},
                                              ZooMobilenetV3Block{3, 184, 80, false, true, 1},
                                              ZooMobilenetV3Block{3, 480, 112, true, true, 1},
                                              ZooMobilenetV3Block{3, 672, 112, true, true, 1},
                                              ZooMobilenetV3Block{5, 672, 160, true, true, 2},
                                              ZooMobilenetV3Block{5, 960, 160, true, true, 1},
                                              ZooMobilenetV3Block{5, 960, 160, true, true, 1}};

std::string activation(ZooBuilder& b, const std::string& name, const std::string& x, bool is_hard) {
  return is_hard ? hard_swish(b, name + "_hswish", x) : b.relu(name + "_relu", x);
}

/// The nearest multiple of 8 that is not below 9/10 of it.
int64_t by_eights(int64_t channels) {
  const int64_t rounded = std::max<int64_t>((channels + 4) / 8 * 8, 8);
  return 10 * rounded < 9 * channels ? rounded + 8 : rounded;
}

std::string zoo_mobilenet_v3_bottleneck(ZooBuilder& b, const std::string& name,
                                        const std::string& x, const ZooMobilenetV3Block& block) {
  const float gain = block.is_hard ? kAfterHardSwish : 2.0F;
  const float last_gain = kAdded * (block.is_excited ? gain * kAfterGate : gain);
  std::string y = x;
  if (block.expanded != b.shape_of(x)[1]) {
    y = conv_bn(b, name + "_expand", y, {.channels = block.expanded, .gain = kAfterLinear},
                kZooMobilenetV3Epsilon);
    y = activation(b, name + "_expand", y, block.is_hard);
  }
  y = conv_bn(b, name + "_depthwise", y,
              {.channels = block.expanded,
               .kernel = {block.kernel},
               .stride = {block.stride},
               .pad = {block.kernel / 2},
               .groups = block.expanded,
               .gain = gain},
              kZooMobilenetV3Epsilon);
  y = activation(b, name + "_depthwise", y, block.is_hard);
  if (block.is_excited) {
    y = excitation(b, name + "_se", y,
                   {.channels = by_eights(block.expanded / 4), .is_hard = true});
  }
  y = conv_bn(b, name + "_project", y, {.channels = block.channels, .gain = last_gain},
              kZooMobilenetV3Epsilon);
  return b.shape_of(y) == b.shape_of(x) ? b.add(name + "_add", x, y) : y;
}

std::string mobilenet_v3(ZooBuilder& b) {
  std::string x =
      conv_bn(b, "conv1", b.input({3, 224, 224}),
              {.channels = 16, .kernel = {3}, .stride = {2}, .pad = {1}}, kZooMobilenetV3Epsilon);
  x = hard_swish(b, "conv1_hswish", x);
  int number = 1;
  for (const ZooMobilenetV3Block& block : kZooMobilenetV3Blocks) {
    x = zoo_mobilenet_v3_bottleneck(b, "block" + std::to_string(number++), x, block);
  }
  x = conv_bn(b, "conv_last", x, {.channels = 960, .gain = kAfterLinear}, kZooMobilenetV3Epsilon);
  x = b.global_average_pool("global_pool", hard_swish(b, "conv_last_hswish", x));
  x = b.dense("fc1", b.flatten("flatten", x), 1280);
  return b.softmax("softmax", b.dense("fc2", hard_swish(b, "fc1_hswish", x), 1000));
}

}  // namespace

std::vector<ZooModel> mobilenet_v3_models() {
  return {{{"mobilenet_v3", "local", "MobileNet v3 large, width 1, 3x224x224"}, mobilenet_v3}};
}

}  // namespace opbench
