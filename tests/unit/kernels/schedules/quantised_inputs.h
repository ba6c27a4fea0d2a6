#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernel_harness.h"

namespace opbench {

/// Random values for a workload that begins with a quantised product whose result is quantised
/// again: scales so that most results lie between the ends of their type.
inline std::vector<Tensor> quantised_inputs(const Workload& workload, uint64_t seed) {
  constexpr size_t kXScale = 1, kWScale = 4, kYScale = 6;
  constexpr float kSpread = 75;   // of a byte's values
  constexpr float kResults = 60;  // steps
  std::vector<Tensor> inputs = random_inputs(workload, seed);
  const Node& node = workload.graph.nodes[0];
  const Shape& w = workload.graph.types.at(node.inputs[3]).shape;
  const bool is_matrix = node.type == "QLinearMatMul";
  const auto terms = static_cast<float>(is_matrix ? w[w.size() - 2] : element_count(w) / w[0]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = workload.graph.inputs[i].name;
    const auto scaled = [&](size_t operand, float scale) {
      if (node.inputs[operand] != name) return;
      for (float& value : inputs[i].as<float>()) value = scale * (1.0f + 0.5f * value);
    };
    scaled(kXScale, 0.02f);
    scaled(kWScale, 0.01f);
    scaled(kYScale, 0.02f * 0.01f * kSpread * kSpread * std::sqrt(terms) / kResults);
  }
  return inputs;
}

}  // namespace opbench
