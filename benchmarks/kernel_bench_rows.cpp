/// Times kernels other than convolutions against oneDNN's, call by call in turns; where oneDNN has
/// no such primitive, against memcpy of the output.
///
///     kernel-bench-rows [--threads N] [--rounds N] [--plain] [--to-plain] [--from-plain] WORKLOAD…
///
/// Prints per workload: ratio (over 1: we are faster), our best time, the peer's, GFLOP/s, GB/s.
#include <dnnl.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel_harness.h"
#include "opbench/graph/graph.h"

namespace opbench {
namespace {

using Clock = std::chrono::steady_clock;
using Dims = dnnl::memory::dims;
using Tag = dnnl::memory::format_tag;
using Desc = dnnl::memory::desc;
constexpr auto kFloat = dnnl::memory::data_type::f32;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

struct Options {
  int threads = 1;
  int rounds = 21;
  bool is_blocked_in = true;
  bool is_blocked_out = true;
  std::vector<std::string> workloads;
};

struct Peer {
  std::string name;
  std::function<void()> call;
};

/// oneDNN primitives with arguments of their own.
class Dnnl {
 public:
  Peer product(const Shape& a, const Shape& b, const Shape& c, bool is_dense, bool is_transposed) {
    const Desc left(a, kFloat, plain(a.size()));
    const Desc out(c, kFloat, plain(c.size()));
    if (is_dense && a.size() == 2) {
      const Dims weights = is_transposed ? b : Dims{b[1], b[0]};
      const dnnl::inner_product_forward::desc op(kInference, left, Desc(weights, kFloat, Tag::any),
                                                 out);
      const dnnl::inner_product_forward::primitive_desc pd(op, engine_);
      return peer(
          dnnl::inner_product_forward(pd), pd.impl_info_str(),
          {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, pd.weights_desc()}, {DNNL_ARG_DST, out}});
    }
    const Desc right(b, kFloat, plain(b.size()));
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

 private:
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
    return {name, [this, primitive, memories] {
              primitive.execute(stream_, memories);
              stream_.wait();
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

std::vector<Peer> peers_of(const Workload& workload, Dnnl& dnnl) {
  const Node& node = workload.graph.nodes[0];
  const auto shape = [&](const std::string& name) { return workload.graph.types.at(name).shape; };
  const Shape a = shape(node.inputs[0]);
  const Shape c = shape(node.outputs[0]);
  const std::string& type = node.type;
  if (type == "Gemm" || type == "MatMul")
    return {dnnl.product(a, shape(node.inputs[1]), c, workload.is_weight(node.inputs[1]),
                         int_attribute(node, "transB", 0) != 0)};
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

double time_of(int calls, const std::function<void()>& call) {
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(Clock::now() - start).count() / calls;
}

Result<KernelSpec> spec_of(const Options& options, const std::string& text) {
  KernelSpec spec;
  OPBENCH_TRY(spec.workload, parse_workload(text));
  spec.target = host_target();
  const int block = float_lanes(spec.target);
  const auto layout = [&](const std::string& name, bool is_blocked) {
    const bool has_channels = spec.workload.graph.types.at(name).shape.size() == 4;
    return Layout{is_blocked && has_channels && !spec.workload.is_weight(name) ? block : 0};
  };
  for (const Value& input : spec.workload.graph.inputs)
    spec.layouts.push_back(layout(input.name, options.is_blocked_in));
  spec.layouts.push_back(layout(spec.workload.graph.outputs[0].name, options.is_blocked_out));
  if (!choose_schedule(spec)) return Error{ErrorCode::kInvalidInput, "no schedule takes " + text};
  return spec;
}

Result<void> bench(const Options& options, const std::string& text, Dnnl& dnnl) {
  constexpr double kSampleSeconds = 2e-3;
  OPBENCH_TRY(const KernelSpec spec, spec_of(options, text));
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(spec));
  OPBENCH_CHECK(kernel.bind(random_inputs(spec.workload, 1)));
  std::vector<Peer> all = peers_of(spec.workload, dnnl);
  all.insert(all.begin(), Peer{"ours", [&] { kernel.call(); }});
  std::vector<double> best(all.size(), std::numeric_limits<double>::infinity());
  std::vector<int> calls;
  for (const Peer& peer : all) {
    peer.call();
    calls.push_back(std::max(1, static_cast<int>(kSampleSeconds / time_of(1, peer.call))));
  }
  for (int round = 0; round < options.rounds; ++round)
    for (size_t i = 0; i < all.size(); ++i)
      best[i] = std::min(best[i], time_of(calls[i], all[i].call));
  const auto fastest = std::min_element(best.begin() + 1, best.end());
  const auto at = static_cast<size_t>(fastest - best.begin());
  fmt::print("{:5.2f}  {:9.2f} us  {:24} {:9.2f} us  {:6.1f} GF {:6.1f} GB/s  cc {:.2f} {} | {}\n",
             *fastest / best[0], best[0] * 1e6, all[at].name, *fastest * 1e6,
             flops_of(spec.workload) / best[0] * 1e-9, bytes_of(spec.workload) / best[0] * 1e-9,
             kernel.compile_seconds(), spec.schedule, text);
  std::fflush(stdout);
  return {};
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto next = [&] { return i + 1 < count ? std::atoi(words[++i]) : 1; };
    if (word == "--threads") {
      options.threads = next();
    } else if (word == "--rounds") {
      options.rounds = next();
    } else if (word == "--plain") {
      options.is_blocked_in = options.is_blocked_out = false;
    } else if (word == "--to-plain") {
      options.is_blocked_out = false;
    } else if (word == "--from-plain") {
      options.is_blocked_in = false;
    } else {
      options.workloads.push_back(word);
    }
  }
  return options;
}

}  // namespace
}  // namespace opbench

int main(int count, char** words) {
  const opbench::Options options = opbench::parse(count, words);
  // OpenMP reads its variable when it is loaded, before main.
  const std::string threads = std::to_string(options.threads);
  if (const char* set = std::getenv("OMP_NUM_THREADS"); set == nullptr || threads != set) {
    ::setenv("OMP_NUM_THREADS", threads.c_str(), 1);
    ::execv("/proc/self/exe", words);
  }
  opbench::set_kernel_threads(options.threads);
  opbench::Dnnl dnnl;
  for (const std::string& workload : options.workloads) {
    try {
      const auto result = opbench::bench(options, workload, dnnl);
      if (!result) fmt::print(stderr, "{}: {}", workload, opbench::to_text(result.error()));
    } catch (const dnnl::error& error) {
      fmt::print(stderr, "{}: {}\n", workload, error.what());
    }
  }
  opbench::set_kernel_threads(1);
}
