#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/operators/operator.h"

namespace opbench {

/// The nodes that take the place of one, and their constants. Values get names that are new to the
/// graph, but for the results, which keep theirs.
class NodeParts {
 public:
  /// `fresh` makes a name that the graph does not have from another one, and remembers it.
  NodeParts(const OperatorCall& call, std::function<std::string(const std::string&)> fresh)
      : node_(*call.node), opset_(call.opset), fresh_(std::move(fresh)) {}

  /// The value that operand `index` reads; empty where it is omitted.
  std::string operand(size_t index) const;
  /// The value of result `index`; empty where nobody asks for it.
  std::string result(size_t index) const;

  /// A constant called `NODE/part`.
  std::string constant(const std::string& part, Tensor tensor);
  std::string scalar(const std::string& part, float value);

  /// A node of ai.onnx called `NODE/part` with one result: a new value, or `result`. Returns its
  /// name.
  std::string add(const std::string& part, const std::string& type, std::vector<std::string> inputs,
                  Attributes attributes = {}, const std::string& result = "");

  /// The same for what is needed often.
  std::string reshape(const std::string& part, const std::string& value, const Shape& shape,
                      const std::string& result = "");
  std::string transpose(const std::string& part, const std::string& value,
                        std::vector<int64_t> order, const std::string& result = "");
  std::string concat(const std::string& part, std::vector<std::string> values, int64_t axis,
                     const std::string& result = "");

  /// A node like ReduceMax, whose axes became an operand in opset 18; the axis stays, as 1.
  std::string reduce(const std::string& part, const std::string& type, const std::string& value,
                     int64_t axis);

  /// A node of com.microsoft.
  std::string add_microsoft(const std::string& part, const std::string& type,
                            std::vector<std::string> inputs, Attributes attributes = {});

  std::vector<Node> take_nodes() { return std::move(nodes_); }
  std::map<std::string, Tensor> take_constants() { return std::move(constants_); }

 private:
  const Node& node_;
  int64_t opset_;  ///< of ai.onnx
  std::function<std::string(const std::string&)> fresh_;
  std::vector<Node> nodes_;
  std::map<std::string, Tensor> constants_;
};

}  // namespace opbench
