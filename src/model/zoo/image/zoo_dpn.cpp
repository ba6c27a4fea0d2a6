#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// DPN-68, the small dual path network (Chen et al. 2017): every block adds to some channels, as
// residual networks do, and appends others, as densely connected ones do.

namespace opbench {
namespace {

constexpr float kZooDpnEpsilon = 1e-3F;

struct ZooDpnStage {
  int64_t added = 0;     ///< channels that blocks add to
  int64_t appended = 0;  ///< channels that a block appends
  int64_t narrow = 0;    ///< channels inside a block, in 32 groups
  int count = 0;
};

constexpr std::array kZooDpnStages = {ZooDpnStage{64, 16, 128, 3}, ZooDpnStage{128, 32, 256, 4},
                                      ZooDpnStage{256, 32, 512, 12}, ZooDpnStage{512, 64, 1024, 3}};

/// Batch norm, ReLU, convolution.
std::string bn_relu_conv(ZooBuilder& b, const std::string& name, const std::string& x,
                         const ConvOptions& options) {
  const std::string y = b.batch_norm(name + "_bn", x, {.epsilon = kZooDpnEpsilon});
  return b.conv(name, b.relu(name + "_relu", y), options);
}

/// The two kinds of channels.
struct Paths {
  std::string added;
  std::string appended;
};

Paths split(ZooBuilder& b, const std::string& name, const std::string& x, int64_t added) {
  return {slice(b, name + "_added", x, 1, 0, added),
          slice(b, name + "_appended", x, 1, added, b.shape_of(x)[1])};
}

Paths zoo_dpn_block(ZooBuilder& b, const std::string& name, const ZooDpnStage& stage,
                    const std::string& x, const Paths& before, int64_t stride) {
  const bool is_first = before.added.empty();
  Paths shortcut = before;
  if (is_first) {
    const std::string y =
        bn_relu_conv(b, name + "_projection", x,
                     {.channels = stage.added + 2 * stage.appended, .stride = {stride}});
    shortcut = split(b, name + "_projection", y, stage.added);
  }
  std::string y = bn_relu_conv(b, name + "_conv1", x, {.channels = stage.narrow});
  y = bn_relu_conv(
      b, name + "_conv2", y,
      {.channels = stage.narrow, .kernel = {3}, .stride = {stride}, .pad = {1}, .groups = 32});
  y = bn_relu_conv(b, name + "_conv3", y, {.channels = stage.added + stage.appended});
  const Paths made = split(b, name, y, stage.added);
  return {b.add(name + "_add", shortcut.added, made.added),
          b.concat(name + "_append", {shortcut.appended, made.appended})};
}

std::string dpn68(ZooBuilder& b) {
  std::string x =
      conv_bn(b, "conv1", b.input({3, 224, 224}),
              {.channels = 10, .kernel = {3}, .stride = {2}, .pad = {1}}, kZooDpnEpsilon);
  x = b.max_pool("pool1", b.relu("conv1_relu", x), {.kernel = {3}, .stride = {2}, .pad = {1}});
  int number = 2;
  for (const ZooDpnStage& stage : kZooDpnStages) {
    Paths paths;
    const int64_t stride = number == 2 ? 1 : 2;
    for (int i = 0; i < stage.count; ++i) {
      const std::string name = "conv" + std::to_string(number) + "_" + std::to_string(i + 1);
      paths = zoo_dpn_block(b, name, stage, x, paths, i == 0 ? stride : 1);
      x = b.concat(name + "_joined", {paths.added, paths.appended});
    }
    ++number;
  }
  x = unary(b, "Elu", "last_elu", b.batch_norm("last_bn", x, {.epsilon = kZooDpnEpsilon}));
  x = b.conv("classifier", b.global_average_pool("global_pool", x),
             {.channels = 1000, .bias = true});
  return b.flatten("flatten", x);
}

}  // namespace

std::vector<ZooModel> dpn_models() {
  return {{{"dpn68", "transformers", "Dual path network 68, 3x224x224"}, dpn68}};
}

}  // namespace opbench
