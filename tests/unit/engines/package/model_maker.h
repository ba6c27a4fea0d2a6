#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "model/operators/operator.h"
#include "model/passes/passes.h"

namespace opbench {

/// Makes a model node by node; every function returns the name of the value that it adds.
class ModelMaker {
 public:
  ModelMaker() {
    model_.name = "made";
    model_.opset = 17;
    model_.ir_version = 8;
  }

  std::string input(const std::string& name, const Shape& shape) {
    Value value{name, DataType::kFloat32, true, {}};
    for (const int64_t extent : shape) value.dimensions.push_back({extent, ""});
    model_.graph.inputs.push_back(std::move(value));
    return name;
  }

  /// A dimension of the last input that the model leaves free, bound to its extent.
  void name_dimension(size_t axis, const std::string& name) {
    model_.graph.inputs.back().dimensions.at(axis).symbol = name;
  }

  /// Small normal values.
  std::string weight(const std::string& name, const Shape& shape, float scale = 0.2F) {
    Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
    Random(3, name).fill_normal(tensor.as<float>(), scale);
    model_.graph.constants[name] = std::move(tensor);
    return name;
  }

  std::string integers(const std::string& name, const std::vector<int64_t>& values) {
    model_.graph.constants[name] =
        Tensor::of<int64_t>(DataType::kInt64, {static_cast<int64_t>(values.size())}, values);
    return name;
  }

  std::string node(const std::string& type, std::vector<std::string> inputs,
                   const std::string& output, Attributes attributes = {}) {
    Node made;
    made.name = output;
    made.type = type;
    made.inputs = std::move(inputs);
    made.outputs = {output};
    made.attributes = std::move(attributes);
    model_.graph.nodes.push_back(std::move(made));
    return output;
  }

  /// A square convolution that keeps the extents, with bias.
  std::string conv(const std::string& x, int64_t from, int64_t to, int64_t kernel,
                   const std::string& output) {
    const int64_t pad = kernel / 2;
    return node("Conv",
                {x, weight(output + "_w", {to, from, kernel, kernel}), weight(output + "_b", {to})},
                output, {{"pads", std::vector<int64_t>{pad, pad, pad, pad}}});
  }

  std::string concat(const std::vector<std::string>& parts, const std::string& output,
                     int64_t axis = 1) {
    return node("Concat", parts, output, {{"axis", axis}});
  }

  Node& last() { return model_.graph.nodes.back(); }

  /// The model with types and these outputs.
  Model finish(const std::vector<std::string>& outputs) {
    for (const std::string& name : outputs) {
      model_.graph.outputs.push_back({name, DataType::kFloat32, true, {}});
    }
    const auto inferred = infer_types(model_);
    EXPECT_TRUE(inferred) << to_text(inferred.error());
    return std::move(model_);
  }

 private:
  Model model_;
};

}  // namespace opbench
