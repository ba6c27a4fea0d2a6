#include "model/judging/input_magnitude.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/tensors/tensor_difference.h"
#include "model/judging/exact_values.h"

namespace opbench {
namespace {

using Types = std::set<std::string>;
using InputMagnitudeValues = std::map<std::string, Tensor>;

/// Their magnitude is their result on the magnitudes of their operands' values.
bool sums_products(const std::string& type) {
  static const Types kTypes = {"AveragePool", "Conv",       "ConvTranspose",     "CumSum",
                               "Einsum",      "Gemm",       "GlobalAveragePool", "MatMul",
                               "Mean",        "ReduceMean", "ReduceSum",         "Sum"};
  return kTypes.contains(type);
}

/// Their magnitude is their result on the magnitudes of their operands.
bool hands_on(const std::string& type) {
  static const Types kTypes = {"Add",     "Concat", "Expand",    "Flatten",  "Gather", "Max",
                               "MaxPool", "Mul",    "Reshape",   "Slice",    "Split",  "Squeeze",
                               "Sub",     "Tile",   "Transpose", "Unsqueeze"};
  return kTypes.contains(type);
}

/// |f(a) − f(b)| ≤ |a − b|, element by element: their magnitude is that of their first operand.
bool bends(const std::string& type) {
  static const Types kTypes = {"Abs",      "Cast",      "Clip", "Dropout", "Elu",     "HardSigmoid",
                               "Identity", "LeakyRelu", "Neg",  "Relu",    "Sigmoid", "Tanh"};
  return kTypes.contains(type);
}

Tensor magnitudes(Tensor tensor) {
  if (tensor.type.data_type == DataType::kFloat64) {
    for (double& value : tensor.as<double>()) value = std::abs(value);
  }
  return tensor;
}

class MagnitudeRun {
 public:
  MagnitudeRun(const Model& model, const InputMagnitudeValues& known) : model_(model) {
    for (const auto& [name, tensor] : known) add(name, widened(tensor));
  }

  Result<void> run(const Node& node) {
    std::vector<const Tensor*> operands;
    for (const std::string& name : node.inputs) {
      OPBENCH_TRY(const Tensor* operand, value_of(name));
      operands.push_back(operand);
    }
    OPBENCH_TRY(std::vector<Tensor> results, exact_results(model_, node, operands));
    std::vector<Tensor> largest = magnitudes_of(node, operands, results);
    for (size_t i = 0; i < node.outputs.size() && i < results.size(); ++i) {
      exact_[node.outputs[i]] = std::move(results[i]);
      magnitudes_[node.outputs[i]] = std::move(largest[i]);
    }
    return {};
  }

  double largest_of(const std::string& name) const {
    const auto made = magnitudes_.find(name);
    return made == magnitudes_.end() ? 0 : largest_magnitude(made->second);
  }

 private:
  void add(const std::string& name, Tensor value) {
    magnitudes_[name] = magnitudes(value);
    exact_[name] = std::move(value);
  }

  Result<const Tensor*> value_of(const std::string& name) {
    if (name.empty()) return nullptr;
    const auto constant = model_.graph.constants.find(name);
    const bool is_new = !exact_.contains(name);
    if (is_new && constant != model_.graph.constants.end()) add(name, widened(constant->second));
    const auto value = exact_.find(name);
    if (value != exact_.end()) return &value->second;
    return Error{ErrorCode::kInvalidInput, fmt::format("the value \"{}\" is not known", name)};
  }

  std::vector<Tensor> magnitudes_of(const Node& node, const std::vector<const Tensor*>& operands,
                                    const std::vector<Tensor>& results) const {
    const auto of_values = [](const Tensor& value) { return magnitudes(value); };
    const auto handed_on = [&](size_t i) { return magnitudes_.at(node.inputs[i]); };
    if (bends(node.type)) return {handed_on(0)};
    std::vector<Tensor> given(operands.size());
    std::vector<const Tensor*> places(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] == nullptr) continue;
      given[i] = hands_on(node.type) ? handed_on(i) : of_values(*operands[i]);
      places[i] = &given[i];
    }
    if (sums_products(node.type) || hands_on(node.type)) {
      Node positive = node;
      if (node.type == "Sub") positive.type = "Add";
      auto found = exact_results(model_, positive, places);
      if (found) {
        for (Tensor& tensor : *found) tensor = magnitudes(std::move(tensor));
        return std::move(*found);
      }
    }
    double largest = 0;
    for (const Tensor& tensor : given) largest = std::max(largest, largest_magnitude(tensor));
    std::vector<Tensor> filled;
    for (const Tensor& result : results) {
      filled.push_back(Tensor::empty({DataType::kFloat64, result.type.shape}));
      std::ranges::fill(filled.back().as<double>(), largest);
    }
    return filled;
  }

  const Model& model_;
  InputMagnitudeValues exact_;
  InputMagnitudeValues magnitudes_;
};

}  // namespace

Result<double> input_magnitude(const Model& model, const InputMagnitudeValues& known,
                               const std::string& name, const std::atomic<bool>* cancel) {
  MagnitudeRun run(model, known);
  const auto is_known = [&](const std::string& value) { return known.contains(value); };
  for (const Node* node : nodes_between(model.graph, is_known, {name})) {
    if (cancel != nullptr && *cancel) {
      return Error{ErrorCode::kInterrupted, "interrupted while magnitudes were computed"};
    }
    OPBENCH_CHECK(run.run(*node));
  }
  return run.largest_of(name);
}

}  // namespace opbench
