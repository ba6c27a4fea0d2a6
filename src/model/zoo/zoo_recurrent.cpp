#include "model/zoo/zoo_models.h"

// Stacked recurrent layers. The result is the last layer's hidden state at every step.

namespace opbench {
namespace {

constexpr int64_t kLayers = 8;
constexpr int64_t kUnits = 1024;
constexpr int64_t kSteps = 128;

std::string lstm(ZooBuilder& b) {
  const Shape states{kLayers, b.batch_size(), kUnits};
  std::string x = b.named_input("data", {kSteps, b.batch_size(), kUnits});
  const std::string hidden = b.named_input("hidden", states);
  const std::string cell = b.named_input("cell", states);
  for (int64_t i = 0; i < kLayers; ++i) {
    const std::string layer = "lstm" + std::to_string(i);
    const std::string h = b.part(layer + "_hidden", hidden, 0, i, true);
    const std::string c = b.part(layer + "_cell", cell, 0, i, true);
    x = b.lstm(layer, x, h, c);
  }
  return x;
}

}  // namespace

std::vector<ZooModel> recurrent_models() {
  return {
      {{"lstm", "transformers", "8 LSTM layers, 1024 wide, 128 steps, with initial states"}, lstm}};
}

}  // namespace opbench
