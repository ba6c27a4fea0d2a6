#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// More make no profile that anyone reads, and take long to prepare.
constexpr size_t kMostUnrolledNodes = 20'000;

/// `kInvalidInput` if `iterations` iterations of `each` nodes, with those `made` before, are more.
Result<void> check_unrolled_nodes(int64_t iterations, size_t each, size_t made);

/// A scan output: the values of all iterations, stacked.
struct StackedValue {
  std::string name;
  int64_t axis = 0;                ///< new, in the result; negative: from the end
  std::vector<std::string> parts;  ///< one an iteration
};

/// Appends the nodes that stack the parts. Without parts, the extents of one are those that the
/// body declares: `kInvalidInput` where it leaves some open.
Result<void> add_stacked(Graph& graph, int64_t opset, const StackedValue& value,
                         const Value& declared, std::vector<Node>& nodes);

/// A scalar constant.
std::string add_scalar(Graph& graph, const std::string& name, int64_t value);

/// The nodes of all iterations of a Scan, in the form of opset 9. Needs the types of what it scans.
/// `kInvalidInput`: the form of opset 8, operands that do not go together, too many nodes
/// beside those `made` before.
Result<std::vector<Node>> unroll_scan(Graph& graph, int64_t opset, const Node& node, size_t made);

}  // namespace opbench
