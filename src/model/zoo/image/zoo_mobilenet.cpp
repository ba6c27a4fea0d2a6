#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// MobileNet v1 (Howard et al. 2017) and v2 (Sandler et al. 2018), width 1.

namespace opbench {
namespace {

ConvOptions depthwise(int64_t channels, int64_t stride) {
  return {.channels = channels,
          .kernel = {3, 3},
          .stride = {stride, stride},
          .pad = {1, 1},
          .groups = channels};
}

std::string mobilenet(ZooBuilder& b) {
  struct Step {
    int64_t channels;
    int64_t stride;
  };
  constexpr std::array kSteps = {Step{64, 1},  Step{128, 2}, Step{128, 1}, Step{256, 2},
                                 Step{256, 1}, Step{512, 2}, Step{512, 1}, Step{512, 1},
                                 Step{512, 1}, Step{512, 1}, Step{512, 1}, Step{1024, 2},
                                 Step{1024, 1}};
  std::string x =
      b.conv_bn_relu("conv1", b.input({3, 224, 224}),
                     {.channels = 32, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}});
  int number = 1;
  for (const Step& step : kSteps) {
    const std::string name = "block" + std::to_string(number++);
    x = b.conv_bn_relu(name + "_depthwise", x, depthwise(b.shape_of(x)[1], step.stride));
    x = b.conv_bn_relu(name + "_pointwise", x, {.channels = step.channels});
  }
  return classifier(b, x);
}

std::string conv_bn_relu6(ZooBuilder& b, const std::string& name, const std::string& x,
                          const ConvOptions& options) {
  return b.relu6(name + "_relu6", b.batch_norm(name + "_bn", b.conv(name, x, options)));
}

/// Widens with 1x1, filters each channel, narrows without activation; added to its input where
/// the shapes agree.
std::string inverted_residual(ZooBuilder& b, const std::string& name, const std::string& x,
                              const ConvOptions& narrow, int64_t expansion) {
  const int64_t wide = b.shape_of(x)[1] * expansion;
  std::string y = x;
  if (expansion > 1) y = conv_bn_relu6(b, name + "_expand", y, {.channels = wide});
  y = conv_bn_relu6(b, name + "_depthwise", y, depthwise(wide, narrow.stride[0]));
  y = b.batch_norm(name + "_project_bn",
                   b.conv(name + "_project", y, {.channels = narrow.channels}));
  return b.shape_of(y) == b.shape_of(x) ? b.add(name + "_add", x, y) : y;
}

std::string mobilenet_v2(ZooBuilder& b) {
  struct Group {
    int64_t expansion;
    int64_t channels;
    int count;
    int64_t stride;  ///< of the first
  };
  // Table 2 of the paper.
  constexpr std::array kGroups = {Group{1, 16, 1, 1}, Group{6, 24, 2, 2}, Group{6, 32, 3, 2},
                                  Group{6, 64, 4, 2}, Group{6, 96, 3, 1}, Group{6, 160, 3, 2},
                                  Group{6, 320, 1, 1}};
  std::string x =
      conv_bn_relu6(b, "conv1", b.input({3, 224, 224}),
                    {.channels = 32, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}});
  int number = 1;
  for (const Group& group : kGroups) {
    for (int i = 0; i < group.count; ++i) {
      const int64_t stride = i == 0 ? group.stride : 1;
      x = inverted_residual(b, "block" + std::to_string(number++), x,
                            {.channels = group.channels, .stride = {stride, stride}},
                            group.expansion);
    }
  }
  return classifier(b, conv_bn_relu6(b, "conv_last", x, {.channels = 1280}));
}

}  // namespace

std::vector<ZooModel> mobilenet_models() {
  return {
      {{"mobilenet", "local", "MobileNet v1, width 1, 3x224x224"}, mobilenet},
      {{"mobilenet_v2", "local", "MobileNet v2, width 1, 3x224x224"}, mobilenet_v2},
  };
}

}  // namespace opbench
