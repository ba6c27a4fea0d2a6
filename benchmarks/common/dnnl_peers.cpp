#include "benchmarks/common/dnnl_peers.h"

#include <dnnl.hpp>
#include <omp.h>

#include <cstring>
#include <memory>
#include <unordered_map>

#include "model/graph/graph.h"

namespace opbench {
namespace {

using Dims = dnnl::memory::dims;
using Tag = dnnl::memory::format_tag;
using Desc = dnnl::memory::desc;
constexpr auto kFloat = dnnl::memory::data_type::f32;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

struct DnnlPeersConvolution {
  Dims source, weights, bias, output, strides, dilations, before, after;
};

DnnlPeersConvolution convolution_of(const Workload& workload) {
  const Node& node = workload.graph.nodes[0];
  const auto shape = [&](const std::string& name) { return workload.graph.types.at(name).shape; };
  DnnlPeersConvolution p;
  p.source = shape(node.inputs[0]);
  p.weights = shape(node.inputs[1]);
  p.bias = {p.weights[0]};
  p.output = shape(node.outputs[0]);
  p.strides = ints_attribute(node, "strides", {1, 1});
  p.dilations = ints_attribute(node, "dilations", {1, 1});
  for (auto& d : p.dilations) d -= 1;
  const auto pads = ints_attribute(node, "pads", {0, 0, 0, 0});
  p.before = {pads[0], pads[1]};
  p.after = {pads[2], pads[3]};
  const int64_t group = int_attribute(node, "group", 1);
  if (group > 1)
    p.weights = {group, p.weights[0] / group, p.weights[1], p.weights[2], p.weights[3]};
  return p;
}

/// oneDNN primitives with arguments of their own.
class Dnnl {
 public:
  struct RightOperand {
    Shape shape;
    bool is_weight = false;
    bool is_transposed = false;
  };

  Peer product(const Shape& a, const RightOperand& b, const Shape& c) {
    const Desc left(a, kFloat, plain(a.size()));
    const Desc out(c, kFloat, plain(c.size()));
    if (b.is_weight && a.size() == 2) {
      const Dims weights = b.is_transposed ? b.shape : Dims{b.shape[1], b.shape[0]};
      const dnnl::inner_product_forward::desc op(kInference, left, Desc(weights, kFloat, Tag::any),
                                                 out);
      const dnnl::inner_product_forward::primitive_desc pd(op, engine_);
      return peer(
          dnnl::inner_product_forward(pd), pd.impl_info_str(),
          {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, pd.weights_desc()}, {DNNL_ARG_DST, out}});
    }
    const Desc right(b.shape, kFloat, plain(b.shape.size()));
    const dnnl::matmul::primitive_desc pd(dnnl::matmul::desc(left, right, out), engine_);
    return peer(dnnl::matmul(pd), pd.impl_info_str(),
                {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, out}});
  }

  Peer pool(const Node& node, const Shape& a, const Shape& c, Tag tag) {
    const auto pads = ints_attribute(node, "pads", {0, 0, 0, 0});
    const Dims kernel = ints_attribute(node, "kernel_shape", {a[2], a[3]});
    const bool includes = int_attribute(node, "count_include_pad", 0) != 0;
    const auto algorithm = node.type.find("Max") != std::string::npos ? dnnl::algorithm::pooling_max
                           : includes ? dnnl::algorithm::pooling_avg_include_padding
                                      : dnnl::algorithm::pooling_avg_exclude_padding;
    const Desc source(a, kFloat, tag), target(c, kFloat, tag);
    const dnnl::pooling_forward::desc op(
        kInference, algorithm, source, target, ints_attribute(node, "strides", {1, 1}), kernel,
        {pads[0], pads[1]},
        {(c[2] - 1) * ints_attribute(node, "strides", {1, 1})[0] + kernel[0] - a[2] - pads[0],
         (c[3] - 1) * ints_attribute(node, "strides", {1, 1})[1] + kernel[1] - a[3] - pads[1]});
    const dnnl::pooling_forward::primitive_desc pd(op, engine_);
    return peer(dnnl::pooling_forward(pd), pd.impl_info_str(),
                {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}});
  }

  Peer softmax(const Shape& a, int axis) {
    const Desc data(a, kFloat, plain(a.size()));
    const dnnl::softmax_forward::primitive_desc pd({kInference, data, axis}, engine_);
    return peer(dnnl::softmax_forward(pd), pd.impl_info_str(),
                {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}});
  }

  Peer lrn(const Node& node, const Shape& a, Tag tag) {
    const Desc data(a, kFloat, tag);
    const dnnl::lrn_forward::primitive_desc pd(
        {kInference, dnnl::algorithm::lrn_across_channels, data, int_attribute(node, "size", 5),
         float_attribute(node, "alpha", 1e-4f), float_attribute(node, "beta", 0.75f),
         float_attribute(node, "bias", 1.0f)},
        engine_);
    return peer(dnnl::lrn_forward(pd), pd.impl_info_str(),
                {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}});
  }

  Peer layer_norm(const Shape& a) {
    const Desc data(a, kFloat, plain(a.size()));
    using Flags = dnnl::normalization_flags;
    const dnnl::layer_normalization_forward::primitive_desc pd(
        {kInference, data, 1e-5f, Flags::use_scale | Flags::use_shift}, engine_);
    return peer(dnnl::layer_normalization_forward(pd), pd.impl_info_str(),
                {{DNNL_ARG_SRC, data},
                 {DNNL_ARG_DST, data},
                 {DNNL_ARG_SCALE, pd.weights_desc()},
                 {DNNL_ARG_SHIFT, pd.weights_desc()}});
  }

  Peer gelu(const Shape& a, bool is_tanh) {
    const Desc data(a, kFloat, plain(a.size()));
    const auto algorithm =
        is_tanh ? dnnl::algorithm::eltwise_gelu_tanh : dnnl::algorithm::eltwise_gelu_erf;
    const dnnl::eltwise_forward::primitive_desc pd({kInference, algorithm, data, 0.0f, 0.0f},
                                                   engine_);
    return peer(dnnl::eltwise_forward(pd), pd.impl_info_str(),
                {{DNNL_ARG_SRC, data}, {DNNL_ARG_DST, data}});
  }

  /// The same convolution as oneDNN does it by itself, then in the layouts and by the algorithms
  /// that it has.
  std::vector<Peer> convolutions(const DnnlPeersConvolution& c) {
    std::vector<Peer> peers;
    add_convolution(peers, c, dnnl::algorithm::convolution_auto, Tag::any);
    for (const Tag tag : {Tag::any, Tag::nhwc, Tag::nChw16c})
      add_convolution(peers, c, dnnl::algorithm::convolution_direct, tag);
    add_convolution(peers, c, dnnl::algorithm::convolution_winograd, Tag::any);
    return peers;
  }

 private:
  void add_convolution(std::vector<Peer>& peers, const DnnlPeersConvolution& c,
                       dnnl::algorithm algorithm, Tag tag) {
    const auto desc = [](const Dims& dims, Tag t) { return Desc(dims, kFloat, t); };
    const Tag source = c.source[1] < 8 ? Tag::any : tag;
    try {
      const dnnl::convolution_forward::desc op(
          kInference, algorithm, desc(c.source, source), desc(c.weights, Tag::any),
          desc(c.bias, Tag::any), desc(c.output, tag), c.strides, c.dilations, c.before, c.after);
      const dnnl::convolution_forward::primitive_desc pd(op, engine_);
      peers.push_back(peer(dnnl::convolution_forward(pd), pd.impl_info_str(),
                           {{DNNL_ARG_SRC, pd.src_desc()},
                            {DNNL_ARG_WEIGHTS, pd.weights_desc()},
                            {DNNL_ARG_BIAS, pd.bias_desc()},
                            {DNNL_ARG_DST, pd.dst_desc()}}));
    } catch (const dnnl::error&) {
      return;  // this version has no such implementation
    }
  }

  static Tag plain(size_t rank) {
    return rank == 1 ? Tag::a : rank == 2 ? Tag::ab : rank == 3 ? Tag::abc : Tag::abcd;
  }

  Peer peer(const dnnl::primitive& primitive, const std::string& name,
            const std::vector<std::pair<int, Desc>>& arguments) {
    std::unordered_map<int, dnnl::memory> memories;
    for (const auto& [role, desc] : arguments) {
      dnnl::memory memory(desc, engine_);
      auto* data = static_cast<float*>(memory.get_data_handle());
      for (size_t i = 0; i < desc.get_size() / sizeof(float); ++i)
        data[i] = static_cast<float>(i % 17) * 0.1f - 0.8f;
      memories.emplace(role, std::move(memory));
    }
    return {name, [primitive, memories, stream = stream_]() mutable {
              primitive.execute(stream, memories);
              stream.wait();
            }};
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
};

Peer copy_of(const Shape& shape) {
  const auto size = static_cast<size_t>(element_count(shape));
  auto from = std::make_shared<Bytes>(size * sizeof(float));
  auto to = std::make_shared<Bytes>(size * sizeof(float));
  return {"memcpy", [from, to] { std::memcpy(to->data(), from->data(), from->size()); }};
}

std::vector<Peer> find_peers(const Workload& workload, Dnnl& dnnl) {
  const Node& node = workload.graph.nodes[0];
  const auto shape = [&](const std::string& name) { return workload.graph.types.at(name).shape; };
  const Shape a = shape(node.inputs[0]);
  const Shape c = shape(node.outputs[0]);
  const std::string& type = node.type;
  if (type == "Conv") return dnnl.convolutions(convolution_of(workload));
  if (type == "Gemm" || type == "MatMul")
    return {dnnl.product(a,
                         {.shape = shape(node.inputs[1]),
                          .is_weight = workload.is_weight(node.inputs[1]),
                          .is_transposed = int_attribute(node, "transB", 0) != 0},
                         c)};
  if (type.find("Pool") != std::string::npos)
    return {dnnl.pool(node, a, c, Tag::nChw16c), dnnl.pool(node, a, c, Tag::nhwc)};
  if (type == "Softmax")
    return {dnnl.softmax(
        a, static_cast<int>(int_attribute(node, "axis", -1) + static_cast<int64_t>(a.size())) %
               static_cast<int>(a.size()))};
  if (type == "LRN") return {dnnl.lrn(node, a, Tag::nChw16c), dnnl.lrn(node, a, Tag::nhwc)};
  if (type == "LayerNormalization") return {dnnl.layer_norm(a)};
  if (type == "Gelu")
    return {dnnl.gelu(a, string_attribute(node, "approximate", "none") == "tanh")};
  return {copy_of(c)};
}

}  // namespace

void use_one_thread() { omp_set_num_threads(1); }

Result<std::vector<Peer>> peers_of(const Workload& workload) {
  try {
    Dnnl dnnl;
    return find_peers(workload, dnnl);
  } catch (const dnnl::error& error) {
    return Error{ErrorCode::kSystem, std::string("oneDNN: ") + error.what()};
  }
}

}  // namespace opbench
