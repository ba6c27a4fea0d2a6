#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// Nodes of a model that follow each other and between which fusion can move cost: a node and the
/// only one that reads its result are in one chain.
class ModelChains {
 public:
  explicit ModelChains(const Graph& graph);

  /// The chain of a unit that covers these nodes, by the first of them in the model:
  /// `conv1..relu3`. A unit that stands at several places belongs to its first one. Empty where the
  /// model has none of them.
  std::string chain_of(const std::vector<std::string>& nodes) const;

 private:
  std::map<std::string, size_t> places_;  ///< of nodes, by their names
  std::vector<std::string> names_;        ///< of chains, by the place of a node
};

}  // namespace opbench
