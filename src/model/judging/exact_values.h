#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// Values of a model computed by the operators' references in double precision, to say which of two
/// engines is right where they disagree. `known` holds values of the model, inputs or results, in
/// their own types; what lies before them is not computed. Operators whose reference takes float32
/// alone get their operands rounded. The values that were floats come back as float64.
/// `kInvalidInput` for a value that does not follow from the known ones and the constants, or an
/// operator without a reference; `kInterrupted` when cancelled.
Result<std::map<std::string, Tensor>> exact_values(const Model& model,
                                                   std::map<std::string, Tensor> known,
                                                   const std::vector<std::string>& wanted,
                                                   const std::atomic<bool>* cancel = nullptr);

/// The tensor with float64 in place of elements of other float types; others as they are.
Tensor widened(const Tensor& tensor);

/// The results of one node on such values, widened again. `operands`: by position, null where the
/// node has none. `kInvalidInput` for an operator without a reference or that refuses them.
Result<std::vector<Tensor>> exact_results(const Model& model, const Node& node,
                                          const std::vector<const Tensor*>& operands);

/// The nodes that the wanted values follow from, in the graph's order, back to the known ones.
std::vector<const Node*> nodes_between(const Graph& graph,
                                       const std::function<bool(const std::string&)>& is_known,
                                       const std::vector<std::string>& wanted);

}  // namespace opbench
