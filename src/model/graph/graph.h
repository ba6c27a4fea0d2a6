#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/errors/error.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// An extent: a number, or a name (a free dimension, "batch") that the user or a caller binds.
struct Dimension {
  int64_t value = -1;  ///< -1 when free
  std::string symbol;
  bool is_free() const { return value < 0; }
  bool operator==(const Dimension&) const = default;
};

/// A graph input or output as the model declares it.
struct Value {
  std::string name;
  DataType data_type = DataType::kFloat32;
  bool has_shape = true;
  std::vector<Dimension> dimensions;
  bool operator==(const Value&) const = default;
};

/// An ONNX attribute. Graph-valued ones are in Node::bodies.
using Attribute = std::variant<int64_t, float, std::string, std::vector<int64_t>,
                               std::vector<float>, std::vector<std::string>, Tensor>;
using Attributes = std::map<std::string, Attribute>;

struct Graph;

/// A subgraph of a node: a branch of If, the body of Loop or Scan. Its nodes may read values of the
/// graph around by name. Copies share it.
class Body {
 public:
  Body() = default;
  explicit Body(Graph graph);
  const Graph& graph() const { return *graph_; }
  bool operator==(const Body& other) const;

 private:
  std::shared_ptr<const Graph> graph_;
};

/// One operator applied to values, which are named; an omitted optional input is the empty name.
struct Node {
  std::string name;    ///< as in the model; made up from the first output when it had none
  std::string type;    ///< ONNX operator type, "Conv"
  std::string domain;  ///< empty for ai.onnx
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  Attributes attributes;
  bool has_subgraph = false;                ///< it has bodies, or an attribute that is not kept
  std::map<std::string, Body> bodies = {};  ///< by attribute: `then_branch`
  bool operator==(const Node&) const = default;
};

/// Nodes in an order in which every value is made before it is used.
struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Value> inputs;  ///< without those that are initialisers
  std::vector<Value> outputs;
  std::map<std::string, Tensor> constants;  ///< initialisers, and results folded at build time
  std::map<std::string, TensorType> types;  ///< of every value, once `infer_types` has run
  bool operator==(const Graph&) const = default;
};

/// A model as read: one graph, its opsets, where it came from.
struct Model {
  std::string name;    ///< "resnet-18" or the file's stem
  std::string source;  ///< path, or "zoo"
  std::string sha256;  ///< of the ONNX file
  int64_t ir_version = 0;
  int64_t opset = 0;                            ///< of ai.onnx
  std::map<std::string, int64_t> other_opsets;  ///< of other domains
  int64_t file_bytes = 0;                       ///< with external data
  std::vector<std::string> remarks = {};        ///< of passes: what a reader of its times must know
  Graph graph;
  bool operator==(const Model&) const = default;
};

/// Attribute readers: the value, or `otherwise` when absent. A different kind counts as absent.
int64_t int_attribute(const Node& node, const std::string& name, int64_t otherwise);
float float_attribute(const Node& node, const std::string& name, float otherwise);
std::string string_attribute(const Node& node, const std::string& name, std::string otherwise);
std::vector<int64_t> ints_attribute(const Node& node, const std::string& name,
                                    std::vector<int64_t> otherwise);

/// For every value name, the indices of the nodes that read it.
std::map<std::string, std::vector<size_t>> consumers_of(const Graph& graph);

/// True if `name` is among the graph's outputs.
bool is_output(const Graph& graph, std::string_view name);

}  // namespace opbench
