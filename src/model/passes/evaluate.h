#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/operators/operator.h"

namespace opbench {

/// True when the results of the call are determined before the run: all operands known, or only
/// their shapes matter.
bool is_known(const OperatorCall& call);

/// False for a constant that has a type alone: the weights of an outline (zoo.h). Passes give what
/// follows from such constants its type and no values either.
bool has_values(const Tensor& tensor);

/// Runs the reference of a call whose results are known. Results have no values where a constant
/// has none.
Result<std::vector<Tensor>> evaluate(const OperatorCall& call,
                                     const std::vector<TensorType>& outputs);

/// Drops nodes whose results nobody reads, then constants and types that no node mentions.
void drop_unread(Graph& graph);

/// `base`, or `base/2` …, whichever is no value of the graph yet.
std::string fresh_name(const Graph& graph, const std::string& base);

/// Adds a constant and its type under a fresh name and returns that.
std::string add_constant(Graph& graph, const std::string& base, Tensor tensor);

}  // namespace opbench
