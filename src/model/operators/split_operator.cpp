#include <fmt/format.h>

#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

Result<int64_t> split_axis(const OperatorCall& call) {
  return axis_of(call, int_attribute(*call.node, "axis", 0), rank_of(call, 0));
}

/// The extents of the parts: given, or equal ones with the last smaller (opset 18).
Result<Integers> parts_of(const OperatorCall& call, int64_t extent) {
  OPBENCH_TRY(const auto given, integers_of(call, "split", 1));
  if (given) return *given;
  const auto count = static_cast<int64_t>(call.node->outputs.size());
  const int64_t part = count == 0 ? 0 : (extent + count - 1) / count;
  Integers parts(static_cast<size_t>(count), part);
  if (count > 0) parts.back() = extent - part * (count - 1);
  return parts;
}

Result<std::vector<TensorType>> infer_split(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 2));
  OPBENCH_TRY(const int64_t along, split_axis(call));
  const int64_t extent = shape_of(call, 0)[along];
  OPBENCH_TRY(const Integers parts, parts_of(call, extent));
  std::vector<TensorType> types;
  int64_t sum = 0;
  for (const int64_t part : parts) {
    types.push_back(*call.inputs[0]);
    types.back().shape[along] = part;
    sum += part;
    if (part < 0) sum = -1;
  }
  if (sum != extent || types.size() != call.node->outputs.size()) {
    return misfit(call, fmt::format("parts {} do not make {} outputs of extent {}",
                                    fmt::join(parts, ","), call.node->outputs.size(), extent));
  }
  return types;
}

Result<void> run_split(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  OPBENCH_TRY(const int64_t along, split_axis(call));
  const Integers strides = dense_strides(inputs[0].type.shape);
  int64_t begin = 0;
  for (const TensorView& output : outputs) {
    if (output.data != nullptr) {
      OPBENCH_CHECK(copy_strided(call, inputs[0], begin * strides[along], strides, output));
    }
    begin += output.type.shape[along];
  }
  return {};
}

Node split_modern_form(const OperatorCall& call, std::map<std::string, Tensor>& constants) {
  Node node = *call.node;
  move_to_input(call, node, "split", 1, constants);
  node.attributes.erase("num_outputs");
  return node;
}

}  // namespace

OperatorDef split_operator() {
  return {
      .name = "split",
      .summary = "A tensor in parts along an axis",
      .onnx_types = {"Split"},
      .infer = infer_split,
      .flops = no_flops,
      .run = run_split,
      .attributes = {{"axis", int64_t{0}}},
      .parameters = {1},
      .modern_form = split_modern_form,
  };
}

}  // namespace opbench
