/// Times convolution workloads, our kernel against the best of oneDNN's, call by call in turns.
///
///     kernel-bench [--threads N] [--rounds N] [--schedule NAME] [--knob NAME=VALUE]…
///                  [--blocks IN OUT] [--target TARGET] [--no-peer] [--unchecked] WORKLOAD…
///
/// Prints per workload: schedule, our time, oneDNN's, ratio (over 1: we are faster), GFLOP/s,
/// error.
#include <dnnl.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
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

struct Options {
  int threads = 1;
  int rounds = 15;
  int in_block = 0;  ///< of the layouts, when not the target's lanes
  int out_block = 0;
  bool is_checked = true;
  bool has_peer = true;
  std::string schedule;
  std::string target = "host";
  Config knobs;
  std::vector<std::string> workloads;
};

/// A convolution of oneDNN, ready to run.
struct DnnlConvolution {
  dnnl::convolution_forward primitive;
  std::unordered_map<int, dnnl::memory> arguments;
  std::string name;
};

struct Problem {
  Dims source, weights, bias, output, strides, dilations, before, after;
};

Problem problem_of(const Workload& workload) {
  const Node& node = workload.graph.nodes[0];
  const auto shape = [&](const std::string& name) { return workload.graph.types.at(name).shape; };
  Problem p;
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

dnnl::memory filled(const dnnl::memory::desc& desc, const dnnl::engine& engine) {
  dnnl::memory memory(desc, engine);
  float* data = static_cast<float*>(memory.get_data_handle());
  for (size_t i = 0; i < desc.get_size() / sizeof(float); ++i)
    data[i] = static_cast<float>(i % 17) * 0.1f - 0.8f;
  return memory;
}

void add_convolution(std::vector<DnnlConvolution>& all, const Problem& p, dnnl::algorithm algorithm,
                     dnnl::memory::format_tag tag, const dnnl::engine& engine) {
  using Tag = dnnl::memory::format_tag;
  const auto desc = [](const Dims& dims, Tag t) {
    return dnnl::memory::desc(dims, dnnl::memory::data_type::f32, t);
  };
  const Tag source = p.source[1] < 8 ? Tag::any : tag;
  try {
    const dnnl::convolution_forward::desc op(dnnl::prop_kind::forward_inference, algorithm,
                                             desc(p.source, source), desc(p.weights, Tag::any),
                                             desc(p.bias, Tag::any), desc(p.output, tag), p.strides,
                                             p.dilations, p.before, p.after);
    const dnnl::convolution_forward::primitive_desc pd(op, engine);
    DnnlConvolution conv;
    conv.name = pd.impl_info_str();
    conv.arguments = {{DNNL_ARG_SRC, filled(pd.src_desc(), engine)},
                      {DNNL_ARG_WEIGHTS, filled(pd.weights_desc(), engine)},
                      {DNNL_ARG_BIAS, filled(pd.bias_desc(), engine)},
                      {DNNL_ARG_DST, filled(pd.dst_desc(), engine)}};
    conv.primitive = dnnl::convolution_forward(pd);
    all.push_back(std::move(conv));
  } catch (const dnnl::error&) {
    return;
  }
}

/// Seconds on the wall, or of this thread's CPU time: the latter stays right while other programs
/// take the CPU away, and counts one thread only.
double now(int threads) {
  timespec time = {};
  ::clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Call>
double time_of(int threads, int calls, const Call& call) {
  const double start = now(threads);
  for (int i = 0; i < calls; ++i) call();
  return (now(threads) - start) / calls;
}

template <class Call>
int calls_for(int threads, double seconds, const Call& call) {
  call();
  return std::max(1, static_cast<int>(seconds / std::max(1e-7, time_of(threads, 1, call))));
}

struct Times {
  double ours = std::numeric_limits<double>::infinity();
  double theirs = std::numeric_limits<double>::infinity();
  std::string algorithm;
};

Times measure(const Options& options, LoadedKernel& kernel, std::vector<DnnlConvolution>& peers,
              dnnl::stream& stream) {
  constexpr double kSampleSeconds = 2e-3;
  Times times;
  const auto ours = [&] { kernel.call(); };
  const auto theirs = [&](DnnlConvolution& peer) {
    peer.primitive.execute(stream, peer.arguments);
    stream.wait();
  };
  const int our_calls = calls_for(options.threads, kSampleSeconds, ours);
  for (int round = 0; round < options.rounds; ++round) {
    times.ours = std::min(times.ours, time_of(options.threads, our_calls, ours));
    for (DnnlConvolution& peer : peers) {
      const auto call = [&] { theirs(peer); };
      const int peer_calls = calls_for(options.threads, kSampleSeconds, call);
      const double seconds = time_of(options.threads, peer_calls, call);
      if (seconds >= times.theirs) continue;
      times.theirs = seconds;
      times.algorithm = peer.name;
    }
  }
  return times;
}

std::vector<DnnlConvolution> peers_of(const Problem& p, const dnnl::engine& engine) {
  using Tag = dnnl::memory::format_tag;
  std::vector<DnnlConvolution> peers;
  for (const Tag tag : {Tag::any, Tag::nhwc, Tag::nChw16c})
    add_convolution(peers, p, dnnl::algorithm::convolution_direct, tag, engine);
  add_convolution(peers, p, dnnl::algorithm::convolution_winograd, Tag::any, engine);
  return peers;
}

Result<void> bench(const Options& options, const std::string& workload, const dnnl::engine& engine,
                   dnnl::stream& stream) {
  OPBENCH_TRY(KernelSpec spec, kernel_spec(workload, options.target, options.schedule));
  for (const auto& [knob, value] : options.knobs) spec.config[knob] = value;
  if (options.in_block > 0) spec.layouts.front() = Layout{options.in_block};
  if (options.out_block > 0) spec.layouts.back() = Layout{options.out_block};
  double error = 0;
  if (options.is_checked) {
    OPBENCH_TRY(error, kernel_error(spec));
  }
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(spec));
  const std::vector<Tensor> inputs = random_inputs(spec.workload, 1);
  const auto start = Clock::now();
  OPBENCH_CHECK(kernel.bind(inputs));
  const double bind = std::chrono::duration<double>(Clock::now() - start).count();
  std::vector<DnnlConvolution> peers;
  if (options.has_peer) peers = peers_of(problem_of(spec.workload), engine);
  const Times times = measure(options, kernel, peers, stream);
  const double gflop = flops_of(spec.workload) * 1e-9;
  std::string knobs;
  for (const auto& [knob, value] : spec.config) knobs += fmt::format("{}={} ", knob, value);
  fmt::print(
      "{:5.2f}  {:8.1f} us {:6.1f} GF  dnnl {:8.1f} us {:14}  err {:.1e} cc {:.2f} s pack {:.0f} "
      "ms {} {}| {}\n",
      times.theirs / times.ours, times.ours * 1e6, gflop / times.ours, times.theirs * 1e6,
      times.algorithm, error, kernel.compile_seconds(), bind * 1e3, spec.schedule, knobs,
      short_shapes(spec.workload));
  std::fflush(stdout);
  return {};
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto next = [&] { return i + 1 < count ? std::string(words[++i]) : std::string(); };
    if (word == "--threads") {
      options.threads = std::atoi(next().c_str());
    } else if (word == "--rounds") {
      options.rounds = std::atoi(next().c_str());
    } else if (word == "--schedule") {
      options.schedule = next();
    } else if (word == "--target") {
      options.target = next();
    } else if (word == "--blocks") {
      options.in_block = std::atoi(next().c_str());
      options.out_block = std::atoi(next().c_str());
    } else if (word == "--no-peer") {
      options.has_peer = false;
    } else if (word == "--unchecked") {
      options.is_checked = false;
    } else if (word == "--knob") {
      const std::string knob = next();
      const size_t equals = knob.find('=');
      options.knobs[knob.substr(0, equals)] = std::atoll(knob.substr(equals + 1).c_str());
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
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  for (const std::string& workload : options.workloads) {
    const auto result = opbench::bench(options, workload, engine, stream);
    if (!result) fmt::print(stderr, "{}: {}", workload, opbench::to_text(result.error()));
  }
  opbench::set_kernel_threads(1);
}
