#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// A call of one of Relay's operators that have templates, as TVM's frontends make it of an ONNX
/// node. Shapes are Relay's: data N x C x spatial, filters O x I x spatial (a depthwise one's
/// C x multiplier x spatial, a transposed one's I x O x spatial); nn.dense takes data[M, K] and
/// weight[N, K], nn.batch_matmul data[b, M, K] and weight[b, N, K].
struct AnchorCall {
  std::string op;  ///< nn.conv1d, nn.conv2d, nn.conv3d, their _transpose, nn.dense, nn.batch_matmul
  TensorType data;
  TensorType weight;
  DataType result = DataType::kFloat32;
  std::vector<int64_t> strides = {};
  std::vector<int64_t> padding = {};  ///< begins of all axes, then ends
  std::vector<int64_t> dilation = {};
  std::vector<int64_t> output_padding = {};  ///< of transposed convolutions
  int64_t groups = 1;

  /// Whether every channel has filters of its own.
  bool is_depthwise() const;
  bool is_undilated() const;
  /// Neither strides nor dilation.
  bool has_unit_steps() const;
  bool operator==(const AnchorCall&) const = default;
};

/// The calls that a node stands for: none for most, several for a recurrent layer, which TVM
/// unrolls. `graph.types` must hold the node's operands.
std::vector<AnchorCall> anchor_calls(const Node& node, const Graph& graph, int64_t opset);

}  // namespace opbench
