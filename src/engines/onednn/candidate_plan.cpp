#include "engines/onednn/candidate_plan.h"

#include <algorithm>
#include <map>

namespace opbench {

using dnnl::algorithm;
using dnnl::memory;
using Dims = memory::dims;
using Tag = memory::format_tag;

namespace {

constexpr auto kCandidatePlanFloat = memory::data_type::f32;

algorithm algorithm_of(const std::string& type) {
  static const std::map<std::string, algorithm> kAlgorithms = {
      {"Relu", algorithm::eltwise_relu},
      {"LeakyRelu", algorithm::eltwise_relu},
      {"Elu", algorithm::eltwise_elu},
      {"Clip", algorithm::eltwise_clip},
      {"Sigmoid", algorithm::eltwise_logistic},
      {"Tanh", algorithm::eltwise_tanh},
      {"Abs", algorithm::eltwise_abs},
      {"Exp", algorithm::eltwise_exp},
      {"Log", algorithm::eltwise_log},
      {"Sqrt", algorithm::eltwise_sqrt},
      {"HardSwish", algorithm::eltwise_hardswish},
      {"Softplus", algorithm::eltwise_soft_relu},
      {"Round", algorithm::eltwise_round},
      {"Add", algorithm::binary_add},
      {"Sum", algorithm::binary_add},
      {"Mul", algorithm::binary_mul},
      {"Sub", algorithm::binary_sub},
      {"Div", algorithm::binary_div},
      {"Max", algorithm::binary_max},
      {"Min", algorithm::binary_min}};
  return kAlgorithms.at(type);
}

}  // namespace

memory::desc any_layout(const Dims& dims) { return {dims, kCandidatePlanFloat, Tag::any}; }

memory::desc row_major(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return {dims, kCandidatePlanFloat, strides};
}

Dims with_leading_ones(const Shape& shape, size_t rank) {
  Dims dims(rank - shape.size(), 1);
  dims.insert(dims.end(), shape.begin(), shape.end());
  return dims;
}

dnnl::primitive_attr attributes_of(const Plan& plan) {
  dnnl::post_ops ops;
  for (const PostOp& op : plan.post_ops) {
    if (op.kind == PostOpKind::kSum) ops.append_sum(1.0F);
    if (op.kind == PostOpKind::kEltwise) {
      ops.append_eltwise(1.0F, algorithm_of(op.type), op.alpha, op.beta);
    }
    if (op.kind == PostOpKind::kBinary) {
      const Shape& shape = plan.workload.graph.types.at(op.operand).shape;
      ops.append_binary(algorithm_of(op.type),
                        row_major(with_leading_ones(shape, plan.output.size())));
    }
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}

void add_post_op_arguments(const Plan& plan, Candidate& candidate) {
  for (size_t i = 0; i < plan.post_ops.size(); ++i) {
    const PostOp& op = plan.post_ops[i];
    if (op.kind == PostOpKind::kSum) candidate.summed = op.operand;
    if (op.kind != PostOpKind::kBinary) continue;
    const auto layout = row_major(
        with_leading_ones(plan.workload.graph.types.at(op.operand).shape, plan.output.size()));
    candidate.arguments.push_back(
        {DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i)) | DNNL_ARG_SRC_1, op.operand, layout,
         layout});
  }
}

bool reads_post_ops_right(const Plan& plan, const memory::desc& result) {
  const bool has_whole = std::ranges::any_of(plan.post_ops, [&](const PostOp& op) {
    return op.kind == PostOpKind::kBinary &&
           with_leading_ones(plan.workload.graph.types.at(op.operand).shape, plan.output.size()) ==
               plan.output;
  });
  return !has_whole || result == row_major(plan.output);
}

}  // namespace opbench
