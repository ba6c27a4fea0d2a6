// `./dev bench tuning`: how many trials a second, and how many of them fail.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"

namespace opbench {
namespace {

constexpr const char* kTuningWorkload = "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1";

Result<Json> tune(const std::string& log, int64_t trials, int64_t seed) {
  const ProgramCommand command{
      .argv = {opbench_path(), "tune", kTuningWorkload, "--tuner", "random", "--trials",
               std::to_string(trials), "--seed", std::to_string(seed), "--log", log, "--format",
               "json", "--quiet"},
      .environment = {{"OPBENCH_STORE", "none"}},
      .cpus = {0, 1}};
  OPBENCH_TRY(const ProgramRun run, run_to_end(command));
  if (run.exit_code != 0)
    return Error{ErrorCode::kSystem, "tune did not end well"}.with("stderr", run.err);
  return parse_json(run.out.substr(0, run.out.find('\n')), "the first line of tune");
}

/// Of all processes that ended: what the machine had to do, however busy it was.
double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Result<void> run_tuning(const Arguments& arguments, Report& report) {
  constexpr double kMostMs = 1000.0 / 18, kMostFailed = 2;
  OPBENCH_TRY(const int64_t trials, arguments.integer("--trials", 1));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  OPBENCH_TRY(const Json task, tune((folder.path() / "bench.log").string(), trials, seed));
  int64_t failed = 0;
  for (const auto& [number, count] : task.at("failures").items()) failed += count.get<int64_t>();
  const double seconds = task.at("seconds").get<double>();
  const auto made = static_cast<double>(trials);
  report.note(
      fmt::format("{}: {} trials in {:.1f} s, {:.1f} a second; best {:.3f} ms, {:.0f} GFLOP/s",
                  kTuningWorkload, trials, seconds, made / seconds,
                  s_to_ms(task.at("best_s").get<double>()), task.at("gflops_per_s").get<double>()));
  report.note(
      fmt::format("{:.0f} ms of CPU time a trial, all processes", s_to_ms(cpu_seconds()) / made));
  report.add({"tuning: milliseconds a trial, random, 2 cores", s_to_ms(seconds) / made, kMostMs});
  report.add({"tuning: percent of trials that failed", 100 * static_cast<double>(failed) / made,
              kMostFailed});
  return {};
}

}  // namespace
}  // namespace opbench

int bench_tuning_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "tuning",
       .summary = "trials a second on conv2d 64x56x56 3x3 to 64",
       .options =
           {{.name = "--trials", .value_name = "N", .help = "how many", .otherwise = "400"},
            {.name = "--seed", .value_name = "N", .help = "of the points", .otherwise = "0"}},
       .run = opbench::run_tuning},
      argc, argv);
}
