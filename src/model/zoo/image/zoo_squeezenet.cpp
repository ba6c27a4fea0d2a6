#include "model/zoo/zoo_models.h"

// SqueezeNet (Iandola et al. 2016), without bypass, biases everywhere. The first convolution is
// padded, as in TVM's test workload.

namespace opbench {
namespace {

/// Squeezes to a few channels, expands with 1x1 and 3x3 filters side by side.
std::string fire(ZooBuilder& b, const std::string& name, const std::string& x, int64_t squeeze,
                 int64_t expand) {
  const auto conv = [&](const std::string& part, const std::string& from, ConvOptions options) {
    options.bias = true;
    const std::string full = name + "_" + part;
    return b.relu(full + "_relu", b.conv(full, from, options));
  };
  const std::string squeezed = conv("squeeze1x1", x, {.channels = squeeze});
  const std::string narrow = conv("expand1x1", squeezed, {.channels = expand});
  const std::string wide =
      conv("expand3x3", squeezed, {.channels = expand, .kernel = {3, 3}, .pad = {1, 1}});
  return b.concat(name + "_concat", {narrow, wide});
}

/// Fires 2 to 9 with pools (3x3, stride 2) before those in `pooled`.
std::string fires(ZooBuilder& b, std::string x, const std::vector<int>& pooled) {
  for (int i = 2; i <= 9; ++i) {
    const std::string number = std::to_string(i);
    for (const int pool : pooled) {
      if (pool == i) x = b.max_pool("pool" + number, x, {.kernel = {3, 3}, .stride = {2, 2}});
    }
    const int64_t squeeze = int64_t{16} * (i / 2);
    x = fire(b, "fire" + number, x, squeeze, 4 * squeeze);
  }
  return x;
}

std::string zoo_squeezenet_classifier(ZooBuilder& b, std::string x) {
  x = b.dropout("dropout", x);
  x = b.relu("conv10_relu", b.conv("conv10", x, {.channels = 1000, .bias = true}));
  return b.softmax("softmax", b.flatten("flatten", b.global_average_pool("global_pool", x)));
}

std::string squeezenet_10(ZooBuilder& b) {
  std::string x =
      b.conv("conv1", b.input({3, 224, 224}),
             {.channels = 96, .kernel = {7, 7}, .stride = {2, 2}, .pad = {3, 3}, .bias = true});
  x = b.relu("conv1_relu", x);
  return zoo_squeezenet_classifier(b, fires(b, x, {2, 5, 9}));
}

std::string squeezenet_11(ZooBuilder& b) {
  std::string x =
      b.conv("conv1", b.input({3, 224, 224}),
             {.channels = 64, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}, .bias = true});
  x = b.relu("conv1_relu", x);
  return zoo_squeezenet_classifier(b, fires(b, x, {2, 4, 6}));
}

}  // namespace

std::vector<ZooModel> squeezenet_models() {
  return {
      {{"squeezenet_v1.0", "local", "SqueezeNet 1.0, 3x224x224"}, squeezenet_10},
      {{"squeezenet_v1.1", "local", "SqueezeNet 1.1, 3x224x224"}, squeezenet_11},
  };
}

}  // namespace opbench
