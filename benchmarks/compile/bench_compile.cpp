// `./dev bench compile`: what it takes to compile seeded configs of a template, and how fast their
// kernels are; in CPU time of one thread, as other programs disturb the time of day.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/numbers/random.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "base/tensors/tensor_difference.h"
#include "benchmarks/common/benchmark.h"
#include "experiments/sessions/model/model_source.h"
#include "kernel_harness.h"
#include "kernels/tasks/extract_tasks.h"
#include "machine/target/parse_target.h"
#include "measuring/results/statistics.h"
#include "model/passes/passes.h"
#include "tuning/trials/candidate.h"

namespace opbench {
namespace {

constexpr const char* kCompileWorkload = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1";
constexpr double kCompileTolerance = 1e-5;  // max |kernel - reference| / max |reference|

Result<TunableTask> task_of(const std::string& text) {
  OPBENCH_TRY(const Workload workload, parse_workload(text));
  Model model = model_of_workload(workload, 0);
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_TRY(const Target target, parse_target("host"));
  const std::vector<Task> tasks = extract_tasks(model, target);
  if (tasks.empty()) return Error{ErrorCode::kNoMatch, "no task in \"" + text + "\""};
  return tunable_task(tasks.front(), 0);
}

struct Compiled {
  double compile_s = 0;
  double run_s = 0;  ///< the fastest of some calls
};

/// Without a reference the kernel is not called.
Result<Compiled> measure_compile(const KernelSpec& spec, const std::vector<Tensor>& inputs,
                                 const std::optional<Tensor>& reference) {
  constexpr int kCalls = 15;
  Compiled config;
  OPBENCH_TRY(LoadedKernel kernel,
              LoadedKernel::load(spec, [&](const std::string& name, const auto& object) {
                const double begin = thread_cpu_s();
                Result<void> compiled = compile_kernel(spec, name, object);
                config.compile_s = thread_cpu_s() - begin;
                return compiled;
              }));
  if (!reference) return config;
  OPBENCH_CHECK(kernel.bind(inputs));
  kernel.call();
  OPBENCH_TRY(const Tensor result, kernel.output());
  const double error = max_relative_error(result, *reference);
  if (error > kCompileTolerance) {
    return Error{ErrorCode::kSystem, fmt::format("error {:.1e} for {}", error, text_of(spec))};
  }
  for (int call = 0; call < kCalls; ++call) {
    const double begin = thread_cpu_s();
    kernel.call();
    const double run_s = thread_cpu_s() - begin;
    if (call == 0 || run_s < config.run_s) config.run_s = run_s;
  }
  return config;
}

Result<std::vector<KernelSpec>> configs_of(const TunableTask& task, int64_t count, int64_t seed) {
  Random random(static_cast<uint64_t>(seed));
  std::vector<KernelSpec> result;
  while (static_cast<int64_t>(result.size()) < count) {
    OPBENCH_TRY(const KnobConfig config, config_at(task.space, random.below(task.size)));
    if (auto spec = candidate_of(task, config)) result.push_back(std::move(*spec));
  }
  return result;
}

Result<void> compile_run(const Arguments& arguments, Report& report) {
  constexpr double kMostMs = 70;
  OPBENCH_TRY(const int64_t count, arguments.integer("--points", 1));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  OPBENCH_TRY(const bool shows_configs, arguments.is_on("--show-points"));
  OPBENCH_TRY(const bool compiles_only, arguments.is_on("--compile-only"));
  const std::string text =
      arguments.positionals().empty() ? kCompileWorkload : arguments.positionals().front();
  OPBENCH_TRY(const TunableTask task, task_of(text));
  OPBENCH_TRY(const std::vector<KernelSpec> specs, configs_of(task, count, seed));
  const std::vector<Tensor> inputs = random_inputs(task.workload, 1);
  std::optional<Tensor> reference;
  if (!compiles_only) {
    OPBENCH_TRY(reference, run_reference(task.workload, inputs));
  }
  std::vector<double> compile_ms;
  double log_flops = 0;
  for (const KernelSpec& spec : specs) {
    OPBENCH_TRY(const Compiled config, measure_compile(spec, inputs, reference));
    compile_ms.push_back(s_to_ms(config.compile_s));
    std::string line = fmt::format("{:.1f} ms", compile_ms.back());
    if (!compiles_only) {
      const double gflops = task.flops / config.run_s * 1e-9;
      log_flops += std::log(gflops);
      line += fmt::format(" {:.1f} GFLOP/s", gflops);
    }
    for (const auto& [name, value] : spec.config) line += fmt::format(" {}={}", name, value);
    if (shows_configs) report.note(line);
  }
  const auto configs = static_cast<double>(specs.size());
  double sum_ms = 0;
  for (const double ms : compile_ms) sum_ms += ms;
  std::string note =
      fmt::format("{}, {} points: median {:.1f} ms", text, specs.size(), median(compile_ms));
  if (!compiles_only) {
    note += fmt::format("; geometric mean {:.2f} GFLOP/s", std::exp(log_flops / configs));
  }
  report.note(note);
  report.add({"compile: mean CPU milliseconds a point", sum_ms / configs, kMostMs});
  return {};
}

}  // namespace
}  // namespace opbench

int bench_compile_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "compile",
       .summary = "CPU time to compile points of a template, and their kernels' speed",
       .positionals = {{.name = "WORKLOAD", .help = "what to compute", .is_required = false}},
       .options = {{.name = "--points", .value_name = "N", .help = "how many", .otherwise = "60"},
                   {.name = "--seed", .value_name = "N", .help = "of the points", .otherwise = "0"},
                   {.name = "--show-points",
                    .value_name = {},
                    .help = "a line for each",
                    .kind = opbench::OptionKind::kSwitch},
                   {.name = "--compile-only",
                    .value_name = {},
                    .help = "call no kernel: for profilers that do not know its instructions",
                    .kind = opbench::OptionKind::kSwitch}},
       .run = opbench::compile_run},
      argc, argv);
}
