#include <fmt/format.h>

#include "model/operators/axes/strided.h"
#include "model/operators/modern_form/node_parts.h"

namespace opbench {
namespace {

int64_t block_of(const OperatorCall& call) { return int_attribute(*call.node, "blocksize", 0); }

bool to_space(const OperatorCall& call) { return call.node->type == "DepthToSpace"; }

Result<std::vector<TensorType>> infer_depth_to_space(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_rank(call, 0, 4, 4));
  OPBENCH_CHECK(choice_attribute(call, "mode", "DCR", {"DCR", "CRD"}));
  const int64_t b = block_of(call);
  Shape s = shape_of(call, 0);
  constexpr int64_t kLargestBlock = 1 << 15;
  const bool fits = b > 0 && b <= kLargestBlock &&
                    (to_space(call) ? s[1] % (b * b) == 0 : s[2] % b + s[3] % b == 0);
  if (!fits) return misfit(call, fmt::format("blocksize {} does not fit {}", b, shape_text(s)));
  if (to_space(call)) {
    s = {s[0], s[1] / (b * b), s[2] * b, s[3] * b};
  } else {
    s = {s[0], s[1] * b * b, s[2] / b, s[3] / b};
  }
  return std::vector<TensorType>{{call.inputs[0]->data_type, s}};
}

/// Both are a transpose of six dimensions.
struct Moved {
  Shape split;  ///< the input's extents
  Integers order;
};

Moved moved_by(const OperatorCall& call) {
  const int64_t b = block_of(call);
  const Shape& in = shape_of(call, 0);
  if (!to_space(call)) return {{in[0], in[1], in[2] / b, b, in[3] / b, b}, {0, 3, 5, 1, 2, 4}};
  const int64_t channels = in[1] / (b * b);
  if (string_attribute(*call.node, "mode", "DCR") == "DCR")
    return {{in[0], b, b, channels, in[2], in[3]}, {0, 3, 4, 1, 5, 2}};
  return {{in[0], channels, b, b, in[2], in[3]}, {0, 1, 4, 2, 5, 3}};
}

Result<void> run_depth_to_space(const OperatorCall& call, std::span<const TensorView> inputs,
                                std::span<const TensorView> outputs) {
  const auto [split, order] = moved_by(call);
  const Integers in_strides = dense_strides(split);
  TensorView view = outputs[0];
  view.type.shape.clear();
  Integers strides;
  for (const int64_t dimension : order) {
    view.type.shape.push_back(split[dimension]);
    strides.push_back(in_strides[dimension]);
  }
  return copy_strided(call, inputs[0], 0, strides, view);
}

bool depth_to_space_take_apart(const OperatorCall& call, NodeParts& parts) {
  if (call.inputs[0]->data_type != DataType::kFloat32 || call.inputs[0]->size() == 0) return false;
  const auto [split, order] = moved_by(call);
  const std::string blocks = parts.reshape("split", parts.operand(0), split);
  Shape joined = shape_of(call, 0);
  const int64_t b = block_of(call);
  joined = to_space(call) ? Shape{joined[0], joined[1] / (b * b), joined[2] * b, joined[3] * b}
                          : Shape{joined[0], joined[1] * b * b, joined[2] / b, joined[3] / b};
  parts.reshape("joined", parts.transpose("moved", blocks, order), joined, parts.result(0));
  return true;
}

}  // namespace

OperatorDef depth_to_space_operator() {
  return {
      .name = "depth_to_space",
      .summary = "Channels moved into blocks of pixels, or back",
      .onnx_types = {"DepthToSpace", "SpaceToDepth"},
      .infer = infer_depth_to_space,
      .flops = no_flops,
      .run = run_depth_to_space,
      .attributes = {{"blocksize", int64_t{0}}, {"mode", std::string("DCR")}},
      .take_apart = depth_to_space_take_apart,
  };
}

}  // namespace opbench
