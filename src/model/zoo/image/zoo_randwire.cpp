#include "model/zoo/image/zoo_image.h"
#include "model/zoo/image/zoo_wiring.h"
#include "model/zoo/zoo_models.h"

// RandWire (Xie et al. 2019, "Exploring randomly wired neural networks for image recognition"), the
// small network: WS(4, 0.75) graphs of 32 nodes, 78 channels. The paper gives means over five
// graphs: 5.6 M parameters and 583 M multiply-adds. The wiring has a seed of its own, so that the
// graph is the same for all weights.

namespace opbench {
namespace {

constexpr int64_t kZooRandwireChannels = 78;  ///< of a node in the first stage with random wiring
constexpr uint64_t kWiringSeed = 7;           ///< of 1 to 12, nearest to the paper's means
constexpr WiringOptions kWiring = {.nodes = 32, .degree = 4, .probability = 0.75};

/// A value and the expected mean square of its elements. The next convolution scales it to 1.
struct Signal {
  std::string value;
  float mean_square = 1;

  float gain() const { return 2 / mean_square; }
};

/// ReLU, 3x3 separable convolution, batch norm.
std::string node(ZooBuilder& b, const std::string& name, const Signal& x, int64_t channels,
                 int64_t stride) {
  const int64_t in = b.shape_of(x.value)[1];
  std::string y = b.relu(name + "_relu", x.value);
  y = b.conv(name + "_depthwise", y,
             {.channels = in,
              .kernel = {3},
              .stride = {stride},
              .pad = {1},
              .groups = in,
              .gain = x.gain()});
  return conv_bn(b, name, y, {.channels = channels, .gain = kAfterLinear});
}

struct Operand {
  std::string value;
  float factor = 0;
};

/// The factor of an edge. In the paper it is the sigmoid of a learnt weight, so it is constant
/// after training. Here it depends on the number of earlier edges out of the same node. Edges out
/// of one node differ, so no engine can join them. Few values occur, so that many units share a
/// kernel.
float edge_factor(int earlier) {
  return static_cast<float>(earlier + 1) / static_cast<float>(earlier + 2);
}

Signal weighted_sum(ZooBuilder& b, const std::string& name, const std::vector<Operand>& operands) {
  Signal sum = {"", 0};
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto& [value, factor] = operands[i];
    const std::string number = std::to_string(i);
    const std::string term = scale(b, name + "_term" + number, value, factor);
    sum.value = i == 0 ? term : b.add(name + "_sum" + number, sum.value, term);
    sum.mean_square += factor * factor;
  }
  return sum;
}

Signal mean(ZooBuilder& b, const std::string& name, const std::vector<std::string>& operands) {
  std::string sum = operands.front();
  for (size_t i = 1; i < operands.size(); ++i) {
    sum = b.add(name + "_sum" + std::to_string(i), sum, operands[i]);
  }
  const float share = 1 / static_cast<float>(operands.size());
  return {scale(b, name, sum, share), share};
}

/// Halves height and width: nodes without sources read the input of the stage with stride 2. The
/// result is the mean of the nodes that no other node reads.
Signal stage(ZooBuilder& b, const std::string& name, const Signal& x, int64_t channels) {
  std::vector<std::string> results;
  std::vector<int> reads(kWiring.nodes);
  for (const auto& sources : random_wiring(kWiring, Random(kWiringSeed, name))) {
    const std::string own = name + "_" + std::to_string(results.size());
    std::vector<Operand> operands;
    for (const size_t source : sources) {
      operands.push_back({results[source], edge_factor(reads[source]++)});
    }
    results.push_back(operands.empty() ? node(b, own, x, channels, 2)
                                       : node(b, own, weighted_sum(b, own, operands), channels, 1));
  }
  std::vector<std::string> last;
  for (size_t i = 0; i < results.size(); ++i) {
    if (reads[i] == 0) last.push_back(results[i]);
  }
  return mean(b, name, last);
}

std::string randwire(ZooBuilder& b) {
  const ConvOptions first = {.channels = kZooRandwireChannels / 2,
                             .kernel = {3},
                             .stride = {2},
                             .pad = {1},
                             .gain = kAfterLinear};
  std::string x = conv_bn(b, "conv1", b.input({3, 224, 224}), first);
  x = b.relu("conv2_relu", x);
  x = conv_bn(b, "conv2", x,
              {.channels = kZooRandwireChannels, .kernel = {3}, .stride = {2}, .pad = {1}});
  Signal signal = {x};
  for (int i = 0; i < 3; ++i) {
    signal = stage(b, "conv" + std::to_string(3 + i), signal, kZooRandwireChannels << i);
  }
  x = b.relu("conv6_relu", signal.value);
  x = conv_bn(b, "conv6", x, {.channels = 1280, .gain = signal.gain()});
  return classifier(b, x);
}

}  // namespace

std::vector<ZooModel> randwire_models() {
  return {{{"randwire", "local", "RandWire-WS small, 3x224x224"}, randwire}};
}

}  // namespace opbench
