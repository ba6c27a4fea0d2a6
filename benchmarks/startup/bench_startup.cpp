// `./dev bench startup`: how long the program takes to its help, and to the table of a model with
// an empty kernel cache and with a full one; its memory on the way.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "measuring/results/statistics.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

constexpr int kHelpRuns = 20;
constexpr double kHelpLimitMs = 15, kColdLimitS = 60, kWarmLimitS = 15;
constexpr double kBaseMemoryMib = 300, kStartupMib = 1024 * 1024;

/// The launcher, when it would start the program beside this executable; else that program.
std::string launcher() {
  const std::filesystem::path script = OPBENCH_LAUNCHER;
  std::error_code ignored;
  const bool fits = std::filesystem::equivalent(script.parent_path() / "build/bin/opbench",
                                                opbench_path(), ignored);
  return fits ? script.string() : opbench_path();
}

Result<ProgramRun> run_startup_well(const ProgramCommand& command) {
  OPBENCH_TRY(ProgramRun run, run_to_end(command));
  if (run.exit_code == 0) return run;
  return Error{ErrorCode::kSystem, fmt::format("\"{}\" ended with code {}",
                                               fmt::join(command.argv, " "), run.exit_code)}
      .with("stderr", run.err);
}

Result<Bar> help_bar() {
  std::vector<double> times_ms;
  for (int i = 0; i < kHelpRuns; ++i) {
    OPBENCH_TRY(const ProgramRun run, run_startup_well({.argv = {launcher(), "--help"}}));
    times_ms.push_back(s_to_ms(run.wall_s));
  }
  return Bar{fmt::format("startup: opbench --help, ms, median of {}", kHelpRuns), median(times_ms),
             kHelpLimitMs};
}

Result<double> model_mib(const std::string& model) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(model, missing);
  if (!missing) return static_cast<double>(size) / kStartupMib;
  OPBENCH_TRY(const std::string bytes, zoo_onnx(model, 1, 0));
  return static_cast<double>(bytes.size()) / kStartupMib;
}

/// A cold and a warm run, and the higher of their memories.
Result<void> add_model(const std::string& model, Report& report) {
  OPBENCH_TRY(const TemporaryFolder cache, TemporaryFolder::make());
  const ProgramCommand command{.argv = {launcher(), "profile", model},
                               .environment = {{"XDG_CACHE_HOME", cache.path().string()}}};
  Report::progress(fmt::format("profile {}, empty cache", model));
  OPBENCH_TRY(const ProgramRun cold, run_startup_well(command));
  report.add(
      {fmt::format("startup: profile {}, empty kernel cache, s", model), cold.wall_s, kColdLimitS});
  Report::progress(fmt::format("profile {}, full cache", model));
  OPBENCH_TRY(const ProgramRun warm, run_startup_well(command));
  report.add(
      {fmt::format("startup: profile {}, full kernel cache, s", model), warm.wall_s, kWarmLimitS});
  OPBENCH_TRY(const double mib, model_mib(model));
  report.add({fmt::format("startup: profile {}, peak memory, MiB", model),
              static_cast<double>(std::max(cold.peak_bytes, warm.peak_bytes)) / kStartupMib,
              kBaseMemoryMib + 2 * mib});
  return {};
}

Result<void> run_startup(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const Bar help, help_bar());
  report.add(help);
  std::vector<std::string> models = arguments.positionals();
  if (models.empty()) models = {"resnet-18"};
  for (const std::string& model : models) OPBENCH_CHECK(add_model(model, report));
  return {};
}

}  // namespace
}  // namespace opbench

int bench_startup_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "startup",
      .summary = "time to the help and to a model's table, and the program's memory",
      .positionals = {{.name = "MODEL",
                       .help = "files or names of the zoo; default: resnet-18",
                       .is_required = false,
                       .repeats = true}},
      .run = opbench::run_startup};
  return opbench::run_benchmark(benchmark, argc, argv);
}
