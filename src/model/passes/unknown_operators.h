#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// An operator that `halide` does not know, and how often a model has it, subgraphs included.
struct UnknownOperator {
  std::string name;  ///< with the domain, if that is another than ai.onnx: `com.acme.Blur`
  int64_t opset = 0;
  int64_t count = 0;
  std::string first_node;
  std::string inside;  ///< the node whose subgraph holds the first one; empty: none
  bool operator==(const UnknownOperator&) const = default;
};

/// `com.acme.Blur`, `Relu`
std::string operator_name(const Node& node);

/// The opset of the node's domain; 0 where the model does not say it.
int64_t opset_of(const Model& model, const Node& node);

/// The most frequent first, equal ones in the order of the nodes.
std::vector<UnknownOperator> unknown_operators(const Model& model);

/// `kInvalidInput` with a line an operator that is unknown: how many nodes have it, the first of
/// them, its opset. Above 20 operators the rest are summed up in one line.
Result<void> require_known_operators(const Model& model);

/// A node that `halide` cannot run, with the types that are known of it.
struct OpaqueNode {
  Node node;
  std::vector<TensorType> inputs;  ///< kUndefined where unknown or omitted
  std::vector<TensorType> outputs;
};

/// Takes nodes out of the graph whose operators are unknown or whose operands have no known types.
/// What they read becomes outputs of the graph, what they make becomes inputs. The rest can be
/// lowered. Errors as infer_types' for the rest.
Result<std::vector<OpaqueNode>> set_aside_opaque(Model& model);

}  // namespace opbench
