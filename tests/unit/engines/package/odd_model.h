#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "base/tensors/tensor.h"
#include "model/operators/operator.h"
#include "model_maker.h"

namespace opbench {

inline Tensor random_tensor(const TensorType& type, uint64_t seed) {
  Tensor tensor = Tensor::empty(type);
  Random(seed).fill_normal(tensor.as<float>(), 1.0F);
  return tensor;
}

/// Every value of a model by the operators' references; views are copied.
inline std::map<std::string, Tensor> reference_values(const Model& model, const Tensor& input) {
  std::map<std::string, Tensor> values = {{model.graph.inputs[0].name, input}};
  for (const auto& [name, constant] : model.graph.constants) values[name] = constant;
  for (const Node& node : model.graph.nodes) {
    std::vector<TensorView> in;
    for (const std::string& name : node.inputs) {
      in.push_back({values.at(name).type, values.at(name).data.data()});
    }
    Tensor result = Tensor::empty(model.graph.types.at(node.outputs[0]));
    const std::vector<TensorView> out = {{result.type, result.data.data()}};
    const auto run = operator_of(node)->run(call_of(node, model.graph, model.opset), in, out);
    EXPECT_TRUE(run) << to_text(run.error());
    values[node.outputs[0]] = std::move(result);
  }
  return values;
}

/// Two images, channels that fill no block, padding, a sum, a concatenation and a view.
inline Model odd_model() {
  ModelMaker m;
  const std::string x = m.input("x", {2, 3, 9, 7});
  const std::string a = m.node("Relu", {m.conv(x, 3, 19, 3, "a")}, "ar");
  const std::string b = m.conv(a, 19, 19, 3, "b");
  const std::string s = m.node("Sigmoid", {m.node("Add", {b, a}, "s")}, "sr");
  const std::string c = m.concat({a, s}, "c");
  const std::string p = m.node("GlobalAveragePool", {c}, "p");
  return m.finish({m.node("Flatten", {p}, "y"), s});
}

}  // namespace opbench
