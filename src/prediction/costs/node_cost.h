#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "model/graph/graph.h"

namespace opbench {

/// What one call of a part of a model has to compute, and to move in and out.
struct NodeCost {
  double flops = 0;
  double bytes = 0;
};

/// The costs of parts of one model, which engines name by its nodes. `model.graph` outlives it.
class NodeCosts {
 public:
  explicit NodeCosts(const Model& model);

  /// Of the nodes with these names run as one. FLOPs: the sum over the nodes, without batch
  /// normalisations of what another of them makes, since these are folded into its weights. Bytes:
  /// each tensor once that is read from outside or read outside. `kInvalidInput` when there are no
  /// names, one is not that of exactly one node, an operator or a shape is not known.
  Result<NodeCost> of(const std::vector<std::string>& names) const;

 private:
  Result<std::vector<size_t>> indices_of(const std::vector<std::string>& names) const;
  Result<double> flops_of_node(const Node& node) const;
  double bytes_of_value(const std::string& name) const;

  const Graph& graph_;
  int64_t opset_;
  std::multimap<std::string, size_t> index_;
  std::map<std::string, std::vector<size_t>> readers_;
};

}  // namespace opbench
