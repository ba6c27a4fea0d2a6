#include "kernels/tasks/anchor_call.h"

#include <algorithm>

#include "model/operators/operator.h"

namespace opbench {
namespace {

using AnchorCallIntegers = std::vector<int64_t>;

/// A list attribute in normal form, where those that are all `otherwise` are dropped.
AnchorCallIntegers list_of(const Attributes& attributes, const std::string& name, size_t count,
                           int64_t otherwise) {
  const auto it = attributes.find(name);
  if (it == attributes.end()) return AnchorCallIntegers(count, otherwise);
  return std::get<AnchorCallIntegers>(it->second);
}

int64_t groups_of(const Attributes& attributes) {
  const auto it = attributes.find("group");
  return it == attributes.end() ? 1 : std::get<int64_t>(it->second);
}

AnchorCall convolution(const OperatorCall& call, const std::string& suffix) {
  const Attributes attributes = normal_attributes(call);
  const size_t axes = call.inputs[0]->shape.size() - 2;
  AnchorCall result{.op = "nn.conv" + std::to_string(axes) + "d" + suffix,
                    .data = *call.inputs[0],
                    .weight = *call.inputs[1],
                    .result = call.inputs[0]->data_type,
                    .strides = list_of(attributes, "strides", axes, 1),
                    .padding = list_of(attributes, "pads", 2 * axes, 0),
                    .dilation = list_of(attributes, "dilations", axes, 1),
                    .groups = groups_of(attributes)};
  if (!suffix.empty()) result.output_padding = list_of(attributes, "output_padding", axes, 0);
  return result;
}

/// A row of height 1: what becomes of grouped convolutions over one axis.
void add_height(AnchorCall& call) {
  call.op = "nn.conv2d";
  call.data.shape.insert(call.data.shape.begin() + 2, 1);
  call.weight.shape.insert(call.weight.shape.begin() + 2, 1);
  call.strides.insert(call.strides.begin(), 1);
  call.dilation.insert(call.dilation.begin(), 1);
  call.padding = {0, call.padding[0], 0, call.padding[1]};
}

std::vector<AnchorCall> conv(const OperatorCall& call) {
  AnchorCall result = convolution(call, "");
  if (result.groups > 1 && result.strides.size() == 1) add_height(result);
  Shape& filters = result.weight.shape;
  if (result.groups > 1 && filters[1] == 1) {
    filters[1] = filters[0] / result.groups;
    filters[0] = result.groups;
  }
  return {result};
}

std::vector<AnchorCall> conv_transpose(const OperatorCall& call) {
  return {convolution(call, "_transpose")};
}

AnchorCall anchor_call_dense(DataType type, int64_t m, int64_t n, int64_t k) {
  return {.op = "nn.dense", .data = {type, {m, k}}, .weight = {type, {n, k}}, .result = type};
}

std::vector<AnchorCall> gemm(const OperatorCall& call) {
  const Shape& a = call.inputs[0]->shape;
  const Shape& b = call.inputs[1]->shape;
  const bool a_transposed = int_attribute(*call.node, "transA", 0) != 0;
  const bool b_transposed = int_attribute(*call.node, "transB", 0) != 0;
  return {anchor_call_dense(call.inputs[0]->data_type, a[a_transposed ? 1 : 0],
                            b[b_transposed ? 0 : 1], a[a_transposed ? 0 : 1])};
}

/// The extents before the last two, each the larger of both operands'.
Shape joint_batch(const Shape& a, const Shape& b) {
  Shape batch;
  const size_t rank = std::max(a.size(), b.size());
  for (size_t i = 0; i + 2 < rank; ++i) {
    const size_t from_end = rank - i;
    const int64_t of_a = a.size() >= from_end ? a[a.size() - from_end] : 1;
    const int64_t of_b = b.size() >= from_end ? b[b.size() - from_end] : 1;
    batch.push_back(std::max(of_a, of_b));
  }
  return batch;
}

/// A matrix on the right is multiplied once, by all rows of the left side; else both are broadcast
/// and the right one is transposed.
std::vector<AnchorCall> matmul(const OperatorCall& call) {
  const Shape& a = call.inputs[0]->shape;
  const Shape& b = call.inputs[1]->shape;
  const DataType type = call.inputs[0]->data_type;
  const int64_t k = a.back();
  if (b.size() <= 2)
    return {anchor_call_dense(type, k == 0 ? 0 : element_count(a) / k, b.size() < 2 ? 1 : b[1], k)};
  const int64_t batch = element_count(joint_batch(a, b));
  const int64_t m = a.size() < 2 ? 1 : a[a.size() - 2];
  return {{.op = "nn.batch_matmul",
           .data = {type, {batch, m, k}},
           .weight = {type, {batch, b.back(), k}},
           .result = type}};
}

/// Every step of every direction multiplies the state before, then the input. Of equal shape are
/// those of all steps and directions.
std::vector<AnchorCall> lstm(const OperatorCall& call) {
  const Shape& x = call.inputs[0]->shape;
  const Shape& w = call.inputs[1]->shape;
  const Shape& r = call.inputs[2]->shape;
  const DataType type = call.inputs[0]->data_type;
  return {anchor_call_dense(type, x[1], r[1], r[2]), anchor_call_dense(type, x[1], w[1], w[2])};
}

using Frontend = std::vector<AnchorCall> (*)(const OperatorCall&);

const std::map<std::string, Frontend>& frontends() {
  static const std::map<std::string, Frontend> kTable = {{"Conv", conv},
                                                         {"ConvTranspose", conv_transpose},
                                                         {"Gemm", gemm},
                                                         {"MatMul", matmul},
                                                         {"LSTM", lstm}};
  return kTable;
}

bool all_one(const AnchorCallIntegers& values) {
  return std::ranges::all_of(values, [](int64_t value) { return value == 1; });
}

}  // namespace

bool AnchorCall::is_depthwise() const {
  return groups > 1 && groups == data.shape[1] && weight.shape[0] == groups;
}

bool AnchorCall::is_undilated() const { return all_one(dilation); }

bool AnchorCall::has_unit_steps() const { return all_one(strides) && all_one(dilation); }

std::vector<AnchorCall> anchor_calls(const Node& node, const Graph& graph, int64_t opset) {
  const auto frontend = frontends().find(node.type);
  if (!node.domain.empty() || frontend == frontends().end()) return {};
  return frontend->second(call_of(node, graph, opset));
}

}  // namespace opbench
