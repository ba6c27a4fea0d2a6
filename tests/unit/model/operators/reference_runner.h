#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

using Floats = std::vector<float>;

/// The result of a workload whose operands, all float32, are filled one after the other from
/// `data`.
inline Tensor run(const std::string& text, const Floats& data) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << to_text(workload.error());
  std::vector<Tensor> inputs;
  auto next = data.begin();
  for (const Value& value : workload->graph.inputs) {
    Tensor tensor = Tensor::empty(workload->graph.types.at(value.name));
    for (float& element : tensor.as<float>()) {
      element = next == data.end() ? 0.0F : *next++;
    }
    inputs.push_back(std::move(tensor));
  }
  auto y = run_reference(*workload, inputs);
  EXPECT_TRUE(y) << to_text(y.error());
  return std::move(*y);
}

inline Floats floats(const std::string& text, const Floats& data) {
  const Tensor y = run(text, data);
  return {y.as<float>().begin(), y.as<float>().end()};
}

inline Floats count_up(int n) {
  Floats values(static_cast<size_t>(n));
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

inline Shape shape(const std::string& text) {
  const auto workload = parse_workload(text);
  EXPECT_TRUE(workload) << to_text(workload.error());
  return workload->graph.types.at("y").shape;
}

}  // namespace opbench
