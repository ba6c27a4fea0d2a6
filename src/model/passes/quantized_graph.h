#pragma once

#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// True if the node has operand `index`: an omitted one has no name.
bool has_operand(const Node& node, size_t index);

/// How bytes stand for numbers: (byte - zero point) * scale. Names of constants of one element.
struct Scaling {
  std::string scale;
  std::string zero_point;  ///< never empty: a missing one is added as 0
};

/// A value that the graph computes in bytes and reads through a DequantizeLinear.
struct ScaledBytes {
  std::string bytes;
  DataType type = DataType::kUndefined;
  Scaling scaling;
};

/// 8-bit weights that are known before the run: one scale, or one for every index of an axis, and
/// the same zero point for all.
struct ScaledWeights {
  std::string bytes;
  std::string scale;
  std::string zero_point;
};

/// Where a value ends as bytes: its only reader is a QuantizeLinear with one scale, or a Relu or
/// Clip before one.
struct QuantizedEnd {
  std::string output;
  DataType type = DataType::kUndefined;
  Scaling scaling;
  std::vector<Node*> nodes;     ///< those that the value goes through
  int lowest = 0, highest = 0;  ///< the bytes that Relu and Clip leave
  bool is_bounded() const;      ///< not all bytes
};

/// A graph in which float nodes stand between DequantizeLinear and QuantizeLinear, while its nodes
/// are replaced. Types must be known.
class QuantizedGraph {
 public:
  /// Takes the nodes; `take_back` returns them.
  explicit QuantizedGraph(Model& model);
  void take_back();

  std::list<Node>& nodes() { return nodes_; }
  const TensorType& type(const std::string& value) const;

  bool is_result(const std::string& value) const { return is_output(graph_, value); }
  void set_type(const std::string& value, const TensorType& type) { graph_.types[value] = type; }

  /// The scaling of a QuantizeLinear or DequantizeLinear of such bytes, if it is one for all.
  std::optional<Scaling> scaling_of(const Node& node, DataType type);
  std::optional<ScaledBytes> dequantized(const std::string& value);
  std::optional<ScaledWeights> weights(const std::string& value, int64_t axis);
  std::optional<QuantizedEnd> end(const std::string& value);

  /// The int32 bias for a float one, of a product with these scales. If the bias has the product's
  /// scale, its own integers are taken. Else the nearest integers are, but only if they move no
  /// result by 1/32 of a step.
  std::optional<std::string> integer_bias(const std::string& value, const std::string& x_scale,
                                          const std::string& w_scale, const std::string& y_scale);

  /// True if both have the same scale and the same zero point of the same type.
  bool are_equal(const Scaling& a, const Scaling& b) const;
  const Tensor& constant(const std::string& name) const;

  /// Puts `node`, which makes a new value of `type`, behind the one that `at` points to.
  void insert_after(std::list<Node>::iterator at, Node node, const TensorType& type);
  std::string new_name(const std::string& base) const;
  /// Lets all who read `from` read `to`.
  void rename_reads(const std::string& from, const std::string& to);
  /// A scalar byte.
  std::string add_byte(const std::string& base, DataType type, int value);

 private:
  const Node* maker(const std::string& value) const;
  Node* only_reader(const std::string& value) const;
  bool is_single_float(const std::string& name) const;
  /// The name of the constant that a value is, or would be: a QuantizeLinear of one is evaluated.
  std::optional<std::string> known(const std::string& value);
  std::optional<std::vector<double>> known_bias(const std::string& value) const;

  Model& model_;
  Graph& graph_;
  std::list<Node> nodes_;
  std::map<std::string, Node*> makers_;
  std::map<std::string, std::vector<Node*>> readers_;
};

}  // namespace opbench
