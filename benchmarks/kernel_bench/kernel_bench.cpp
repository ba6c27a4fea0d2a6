/// Times kernels against oneDNN's best, call by call in turns; where oneDNN has no such primitive,
/// against memcpy of the output.
///
///     kernel-bench [OPTION…] WORKLOAD…          (options: `kFlags` below)
///
/// Prints per workload: ratio (over 1: we are faster), our best time, the peer's, GFLOP/s, GB/s,
/// error against the reference, compile time, packing time, schedule and knobs.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "benchmarks/common/dnnl_peers.h"
#include "kernel_harness.h"

namespace opbench {
namespace {

struct KernelBenchOptions {
  int threads = 1;
  int rounds = 15;
  bool is_blocked = true;  ///< 4-D tensors in blocks of the target's lanes
  int in_block = -1;       ///< of the first input, when given
  int out_block = -1;      ///< of the output
  bool is_checked = true;
  bool has_peer = true;
  std::string schedule;
  std::string target = "host";
  Config knobs;
  std::vector<std::string> workloads;
};

int number(const std::string& word) { return std::atoi(word.c_str()); }

void set_knob(KernelBenchOptions& options, const std::string& word) {
  const size_t equals = word.find('=');
  options.knobs[word.substr(0, equals)] = std::atoll(word.substr(equals + 1).c_str());
}

struct Flag {
  const char* name;
  bool has_value;
  void (*set)(KernelBenchOptions&, const std::string& value);
};

constexpr Flag kFlags[] = {
    {"--threads", true, [](KernelBenchOptions& o, const std::string& v) { o.threads = number(v); }},
    {"--rounds", true, [](KernelBenchOptions& o, const std::string& v) { o.rounds = number(v); }},
    {"--target", true, [](KernelBenchOptions& o, const std::string& v) { o.target = v; }},
    {"--schedule", true, [](KernelBenchOptions& o, const std::string& v) { o.schedule = v; }},
    {"--knob", true, set_knob},
    {"--plain", false, [](KernelBenchOptions& o, const std::string&) { o.is_blocked = false; }},
    {"--in-block", true,
     [](KernelBenchOptions& o, const std::string& v) { o.in_block = number(v); }},
    {"--out-block", true,
     [](KernelBenchOptions& o, const std::string& v) { o.out_block = number(v); }},
    {"--no-peer", false, [](KernelBenchOptions& o, const std::string&) { o.has_peer = false; }},
    {"--unchecked", false, [](KernelBenchOptions& o, const std::string&) { o.is_checked = false; }},
};

KernelBenchOptions parse(const std::vector<std::string>& words) {
  KernelBenchOptions options;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto flag = std::ranges::find_if(
        kFlags, [&](const Flag& candidate) { return candidate.name == words[i]; });
    if (flag == std::end(kFlags))
      options.workloads.push_back(words[i]);
    else if (!flag->has_value)
      flag->set(options, "");
    else if (i + 1 < words.size())
      flag->set(options, words[++i]);
  }
  return options;
}

/// Seconds on the wall, or of this thread's CPU time: the latter stays right while other programs
/// take the CPU away, and counts one thread only.
double now(int threads) { return threads == 1 ? thread_cpu_s() : monotonic_s(); }

/// Seconds a call, over `calls` of them.
template <class Call>
double kernel_bench_time_of(int threads, int calls, const Call& call) {
  const double start = now(threads);
  for (int i = 0; i < calls; ++i) call();
  return (now(threads) - start) / calls;
}

/// The least seconds a call of each, taken in turns.
std::vector<double> best_times(const KernelBenchOptions& options, const std::vector<Peer>& all) {
  constexpr double kSampleSeconds = 2e-3;
  std::vector<double> best(all.size(), std::numeric_limits<double>::infinity());
  std::vector<int> calls;
  for (const Peer& one : all) {
    one.call();
    const double seconds = std::max(1e-7, kernel_bench_time_of(options.threads, 1, one.call));
    calls.push_back(std::max(1, static_cast<int>(kSampleSeconds / seconds)));
  }
  for (int round = 0; round < options.rounds; ++round)
    for (size_t i = 0; i < all.size(); ++i)
      best[i] = std::min(best[i], kernel_bench_time_of(options.threads, calls[i], all[i].call));
  return best;
}

/// The block given for an operand: by its own option, or by the knob of TVM's templates.
int block_of(const KernelBenchOptions& options, int given, const std::string& knob) {
  const auto it = options.knobs.find(knob);
  return given >= 0 || it == options.knobs.end() ? given : static_cast<int>(it->second);
}

Result<KernelSpec> spec_of(const KernelBenchOptions& options, const std::string& text) {
  OPBENCH_TRY(KernelSpec spec,
              kernel_spec(text, options.target, "", options.is_blocked, options.threads));
  const int in_block = block_of(options, options.in_block, "tile_ic");
  const int out_block = block_of(options, options.out_block, "tile_oc");
  if (in_block >= 0) spec.layouts.front() = Layout{in_block};
  if (out_block >= 0) spec.layouts.back() = Layout{out_block};
  if (options.schedule.empty()) {
    if (!choose_schedule(spec)) return Error{ErrorCode::kInvalidInput, "no schedule takes " + text};
  } else {
    OPBENCH_TRY(const ScheduleDef* def, schedule_table().find(options.schedule));
    std::optional<Config> config = def->default_config(spec);
    if (!config)
      return Error{ErrorCode::kInvalidInput, options.schedule + " does not take " + text};
    spec.schedule = options.schedule;
    spec.config = *std::move(config);
  }
  for (const auto& [knob, value] : options.knobs) spec.config[knob] = value;
  return spec;
}

Result<void> bench(const KernelBenchOptions& options, const std::string& text) {
  OPBENCH_TRY(const KernelSpec spec, spec_of(options, text));
  double error = 0;
  if (options.is_checked) {
    OPBENCH_TRY(error, kernel_error(spec));
  }
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(spec));
  const std::vector<Tensor> inputs = random_inputs(spec.workload, 1);
  const double start = now(1);
  OPBENCH_CHECK(kernel.bind(inputs));
  const double bind = now(1) - start;
  std::vector<Peer> all = {{"ours", [&] { kernel.call(); }}};
  if (options.has_peer) {
    OPBENCH_TRY(const std::vector<Peer> peers, peers_of(spec.workload));
    all.insert(all.end(), peers.begin(), peers.end());
  }
  const std::vector<double> best = best_times(options, all);
  const double ours = best[0];
  const auto fastest = std::min_element(best.begin() + (best.size() > 1 ? 1 : 0), best.end());
  std::string knobs;
  for (const auto& [knob, value] : spec.config) knobs += fmt::format("{}={} ", knob, value);
  fmt::print(
      "{:5.2f}  {:9.2f} us  {:24} {:9.2f} us  {:6.1f} GF {:6.1f} GB/s  err {:.1e} cc {:.2f} s pack "
      "{:.0f} ms {} {}| {}\n",
      *fastest / ours, ours * 1e6, all[static_cast<size_t>(fastest - best.begin())].name,
      *fastest * 1e6, flops_of(spec.workload) / ours * 1e-9, bytes_of(spec.workload) / ours * 1e-9,
      error, kernel.compile_seconds(), s_to_ms(bind), spec.schedule, knobs, text);
  std::fflush(stdout);
  return {};
}

}  // namespace
}  // namespace opbench

int main(int count, char** words) {
  const opbench::KernelBenchOptions options = opbench::parse({words + 1, words + count});
  // OpenMP reads its variable when it is loaded, before main.
  const std::string threads = std::to_string(options.threads);
  if (const char* set = std::getenv("OMP_NUM_THREADS"); set == nullptr || threads != set) {
    ::setenv("OMP_NUM_THREADS", threads.c_str(), 1);
    ::execv("/proc/self/exe", words);
  }
  opbench::set_kernel_threads(options.threads);
  for (const std::string& workload : options.workloads) {
    const auto result = opbench::bench(options, workload);
    if (!result) fmt::print(stderr, "{}: {}", workload, opbench::to_text(result.error()));
  }
  opbench::set_kernel_threads(1);
}
