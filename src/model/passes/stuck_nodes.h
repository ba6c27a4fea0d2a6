#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// A branch or loop that cannot become the nodes of its bodies.
struct StuckNode {
  std::string type;
  std::string name;
  std::string reason;
  std::vector<std::string> inputs;  ///< of the model, from which the value that decides follows
};

/// By the nodes' first outputs.
using StuckNodes = std::map<std::string, StuckNode>;

/// If, Loop or Scan of ai.onnx.
bool is_control_flow(const Node& node);

/// The inputs of the model from which the value follows, other than by their shapes alone.
std::vector<std::string> deciding_inputs(const Graph& graph, const std::string& value);

/// `kInvalidInput` with the reason of each node, and the options that help. Needs the types of the
/// graph's inputs.
Error refuse_control_flow(const Graph& graph, const StuckNodes& stuck);

}  // namespace opbench
