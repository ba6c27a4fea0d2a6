#include "engines/onednn/candidates.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "engines/onednn/candidate_plan.h"
#include "engines/onednn/convolution_ways.h"
#include "engines/onednn/deconvolution.h"
#include "engines/onednn/own_choice.h"
#include "model/operators/operator.h"
#include "model/operators/windows/pooling.h"
#include "model/operators/windows/window.h"

namespace opbench {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using CandidatesDims = memory::dims;
using Tag = memory::format_tag;

constexpr auto kInference = dnnl::prop_kind::forward_inference;
constexpr auto kCandidatesFloat = memory::data_type::f32;

/// A matrix that lies transposed in memory.
memory::desc column_major(const CandidatesDims& dims) {
  return {dims, kCandidatesFloat, CandidatesDims{1, dims[0]}};
}

tl::unexpected<Failure> candidates_unsupported(const std::string& why) {
  return tl::make_unexpected(Failure{FailureKind::kUnsupported, why});
}

std::array<CandidatesDims, 4> geometry_of(const Window& window) {
  std::array<CandidatesDims, 4> result;  // strides, dilations counted from 0, pads
  auto& [strides, dilations, begin, end] = result;
  for (const WindowAxis& axis : window) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation - 1);
    begin.push_back(axis.pad_begin);
    end.push_back((axis.output - 1) * axis.stride + axis.reach() - axis.input - axis.pad_begin);
  }
  return result;
}

void add_convolutions(Plan& plan) {
  const auto window =
      window_of(plan.call, spatial_extents(plan.dims(0)), spatial_extents(plan.dims(1)));
  const auto [strides, dilations, begin, end] = geometry_of(*window);
  const int64_t groups = int_attribute(plan.node, "group", 1);
  CandidatesDims filters = plan.dims(1);
  if (groups > 1) {
    filters[0] /= groups;
    filters.insert(filters.begin(), groups);
  }
  const bool has_bias = plan.node.inputs.size() > 2 && !plan.node.inputs[2].empty();
  const auto arguments = [&](const dnnl::convolution_forward::primitive_desc& made) {
    std::vector<PrimitiveArgument> list = {
        {DNNL_ARG_SRC, plan.node.inputs[0], row_major(plan.dims(0)), made.src_desc()},
        {DNNL_ARG_WEIGHTS, plan.node.inputs[1], row_major(filters), made.weights_desc()}};
    if (has_bias) {
      list.push_back(
          {DNNL_ARG_BIAS, plan.node.inputs[2], row_major(plan.dims(2)), made.bias_desc()});
    }
    return list;
  };
  const auto bias = has_bias ? row_major(plan.dims(2)) : memory::desc();
  for (const ConvolutionWay& way : convolution_ways(plan.dims(0))) {
    try {
      const dnnl::convolution_forward::desc desc(
          kInference, way.kind, memory::desc(plan.dims(0), kCandidatesFloat, way.source),
          any_layout(filters), bias, memory::desc(plan.output, kCandidatesFloat, way.output),
          strides, dilations, begin, end);
      const bool takes_all = way.kind == algorithm::convolution_winograd;
      try_candidate<dnnl::convolution_forward>(plan, desc, way.name, arguments, takes_all);
    } catch (const dnnl::error& error) {
      if (plan.refusal.empty()) plan.refusal = error.message;
    }
  }
  plan.candidates = own_choice_first(std::move(plan.candidates));
}

/// Layouts that oneDNN's pools are written for.
std::vector<memory::desc> pool_layouts(const CandidatesDims& dims) {
  std::vector<memory::desc> result = {row_major(dims)};
  std::vector<Tag> tags;
  if (dims.size() == 3) tags = {Tag::nCw16c, Tag::nCw8c, Tag::nwc};
  if (dims.size() == 4) tags = {Tag::nChw16c, Tag::nChw8c, Tag::nhwc};
  if (dims.size() == 5) tags = {Tag::nCdhw16c, Tag::nCdhw8c, Tag::ndhwc};
  for (const Tag tag : tags) result.emplace_back(dims, kCandidatesFloat, tag);
  return result;
}

void add_pools(Plan& plan, algorithm kind, const Window& window) {
  const auto [strides, dilations, begin, end] = geometry_of(window);
  CandidatesDims kernel;
  for (const WindowAxis& axis : window) kernel.push_back(axis.kernel);
  for (const memory::desc& source : pool_layouts(plan.dims(0))) {
    const auto arguments = [&](const dnnl::pooling_v2_forward::primitive_desc&) {
      return std::vector<PrimitiveArgument>{
          {DNNL_ARG_SRC, plan.node.inputs[0], row_major(plan.dims(0)), source}};
    };
    try {
      const dnnl::pooling_v2_forward::desc desc(kInference, kind, source, any_layout(plan.output),
                                                strides, kernel, dilations, begin, end);
      try_candidate<dnnl::pooling_v2_forward>(plan, desc, "pool", arguments);
    } catch (const dnnl::error& error) {
      if (plan.refusal.empty()) plan.refusal = error.message;
    }
  }
}

void add_window_pools(Plan& plan) {
  const Window window = *pool_window(plan.call);
  const bool counts_pads = int_attribute(plan.node, "count_include_pad", 0) != 0;
  const bool is_max = plan.node.type == "MaxPool";
  for (const WindowAxis& axis : window) {
    const int64_t end =
        (axis.output - 1) * axis.stride + axis.reach() - axis.input - axis.pad_begin;
    if (!is_max && counts_pads && end > axis.pad_end) {
      plan.refusal = "a rounded-up average that counts padding";
      return;
    }
  }
  add_pools(plan,
            is_max        ? algorithm::pooling_max
            : counts_pads ? algorithm::pooling_avg_include_padding
                          : algorithm::pooling_avg_exclude_padding,
            window);
}

void add_global_pools(Plan& plan) {
  Window window;
  for (const int64_t extent : spatial_extents(plan.dims(0))) {
    window.push_back({extent, extent, 1, 1, 0, 0, 1});
  }
  add_pools(plan,
            plan.node.type == "GlobalMaxPool" ? algorithm::pooling_max
                                              : algorithm::pooling_avg_exclude_padding,
            window);
}

/// Two matrices as oneDNN's product takes them, B once as [k, n] and once as [n, k].
struct Matrices {
  CandidatesDims a, b;
  memory::desc plain_a, plain_b;
};

void add_products(Plan& plan, const Matrices& m, const std::string& bias) {
  memory::desc bias_layout;
  if (!bias.empty()) {
    CandidatesDims dims(plan.output.size(), 1);
    dims.back() = plan.output.back();
    bias_layout = row_major(dims);
  }
  const auto arguments = [&](const dnnl::matmul::primitive_desc& made) {
    std::vector<PrimitiveArgument> list = {
        {DNNL_ARG_SRC, plan.node.inputs[0], m.plain_a, made.src_desc()},
        {DNNL_ARG_WEIGHTS, plan.node.inputs[1], m.plain_b, made.weights_desc()}};
    if (!bias.empty()) list.push_back({DNNL_ARG_BIAS, bias, bias_layout, bias_layout});
    return list;
  };
  try {
    const dnnl::matmul::desc desc =
        bias.empty() ? dnnl::matmul::desc(any_layout(m.a), any_layout(m.b), any_layout(plan.output))
                     : dnnl::matmul::desc(any_layout(m.a), any_layout(m.b), bias_layout,
                                          any_layout(plan.output));
    try_candidate<dnnl::matmul>(plan, desc, "matmul", arguments);
  } catch (const dnnl::error& error) {
    if (plan.refusal.empty()) plan.refusal = error.message;
  }
}

void add_inner_product(Plan& plan, const Matrices& m, const std::string& bias) {
  const CandidatesDims filters{m.b[1], m.b[0]};
  const bool is_transposed = m.plain_b == column_major(m.b);
  const auto plain = is_transposed ? row_major(filters) : column_major(filters);
  const auto bias_layout = bias.empty() ? memory::desc() : row_major({m.b[1]});
  const auto arguments = [&](const dnnl::inner_product_forward::primitive_desc& made) {
    std::vector<PrimitiveArgument> list = {
        {DNNL_ARG_SRC, plan.node.inputs[0], m.plain_a, made.src_desc()},
        {DNNL_ARG_WEIGHTS, plan.node.inputs[1], plain, made.weights_desc()}};
    if (!bias.empty()) list.push_back({DNNL_ARG_BIAS, bias, bias_layout, bias_layout});
    return list;
  };
  try {
    const dnnl::inner_product_forward::desc desc(kInference, any_layout(m.a), any_layout(filters),
                                                 bias_layout, any_layout(plan.output));
    try_candidate<dnnl::inner_product_forward>(plan, desc, "inner product", arguments);
  } catch (const dnnl::error& error) {
    if (plan.refusal.empty()) plan.refusal = error.message;
  }
}

void add_dense(Plan& plan) {
  const bool has_addend = plan.node.inputs.size() > 2 && !plan.node.inputs[2].empty();
  if (float_attribute(plan.node, "alpha", 1.0F) != 1.0F ||
      (has_addend && float_attribute(plan.node, "beta", 1.0F) != 1.0F)) {
    plan.refusal = "a scaled product";
    return;
  }
  std::string bias = has_addend ? plan.node.inputs[2] : "";
  const bool is_row = has_addend && plan.dims(2).back() == element_count(plan.dims(2)) &&
                      plan.dims(2).back() == plan.output[1];
  if (has_addend && !is_row) {
    plan.post_ops.insert(plan.post_ops.begin(), {PostOpKind::kBinary, "Add", 0, 0, bias});
    bias.clear();
  }
  Matrices m{plan.dims(0), plan.dims(1), {}, {}};
  if (int_attribute(plan.node, "transA", 0) != 0) std::swap(m.a[0], m.a[1]);
  if (int_attribute(plan.node, "transB", 0) != 0) std::swap(m.b[0], m.b[1]);
  m.plain_a = m.a == plan.dims(0) && int_attribute(plan.node, "transA", 0) == 0 ? row_major(m.a)
                                                                                : column_major(m.a);
  m.plain_b = int_attribute(plan.node, "transB", 0) == 0 ? row_major(m.b) : column_major(m.b);
  add_inner_product(plan, m, bias);
  add_products(plan, m, bias);
  plan.candidates = own_choice_first(std::move(plan.candidates));
}

/// All extents but the last as rows: several left matrices and one right one are one product.
CandidatesDims as_matrix(const CandidatesDims& dims) {
  return {std::accumulate(dims.begin(), dims.end() - 1, int64_t{1}, std::multiplies<>()),
          dims.back()};
}

void add_matmul(Plan& plan) {
  if (plan.dims(0).size() < 2 || plan.dims(1).size() < 2) {
    plan.refusal = "a product with a vector";
    return;
  }
  CandidatesDims source = plan.dims(0);
  const bool has_one_right_matrix = plan.dims(1).size() == 2;
  if (has_one_right_matrix && plan.post_ops.empty()) {
    source = as_matrix(source);
    plan.output = as_matrix(plan.output);
  }
  const CandidatesDims a = with_leading_ones(source, plan.output.size());
  const CandidatesDims b = with_leading_ones(plan.dims(1), plan.output.size());
  const Matrices m{a, b, row_major(a), row_major(b)};
  if (plan.output.size() == 2) add_inner_product(plan, m, "");
  add_products(plan, m, "");
  plan.candidates = own_choice_first(std::move(plan.candidates));
}

void add_candidates(Plan& plan) {
  static const std::map<std::string, void (*)(Plan&)> kMakers = {
      {"Conv", add_convolutions},
      {"ConvTranspose", add_deconvolution},
      {"Gemm", add_dense},
      {"MatMul", add_matmul},
      {"MaxPool", add_window_pools},
      {"AveragePool", add_window_pools},
      {"GlobalAveragePool", add_global_pools},
      {"GlobalMaxPool", add_global_pools}};
  const auto maker = kMakers.find(plan.node.type);
  if (maker == kMakers.end()) {
    plan.refusal = "the operator " + plan.node.type;
    return;
  }
  maker->second(plan);
}

}  // namespace

Outcome<std::vector<Candidate>> candidates_for(const Workload& workload,
                                               const dnnl::engine& engine) {
  const Graph& graph = workload.graph;
  for (const auto& [name, type] : graph.types) {
    if (type.data_type != DataType::kFloat32) {
      return candidates_unsupported("this engine computes on float32, not " +
                                    std::string(name_of(type.data_type)));
    }
  }
  if (graph.outputs.size() > 1)
    return candidates_unsupported("this engine computes one output a unit");
  const Node& node = graph.nodes.at(0);
  auto post_ops = post_ops_of(workload, node.type == "Conv" || node.type == "Gemm");
  if (!post_ops) return tl::make_unexpected(post_ops.error());
  Plan plan{workload,
            engine,
            node,
            call_of(node, graph, workload.opset),
            graph.types.at(node.outputs[0]).shape,
            std::move(*post_ops),
            {},
            {}};
  add_candidates(plan);
  if (!plan.candidates.empty()) return std::move(plan.candidates);
  return candidates_unsupported("oneDNN does not compute this: " + plan.refusal);
}

}  // namespace opbench
