// `./dev bench tune-kills`: a search under kill -9 that goes on from its log.
#include <fmt/format.h>

#include "base/files/file.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "tune_kills.h"

namespace opbench {
namespace {

Result<void> tune_kills_run(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const int64_t kills, arguments.integer("--kills", 1));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  ::setenv("OPBENCH_STORE", "none", 1);
  const TuneKillResult result = run_tune_kills({.program = opbench_path(),
                                                .folder = folder.path(),
                                                .kills = static_cast<int>(kills),
                                                .seed = static_cast<uint64_t>(seed)});
  report.note(fmt::format("killed {} times, {} trials", result.kills, result.trials));
  for (const std::string& failure : result.failures) report.note("failed: " + failure);
  const auto none = [&](const char* what, auto count) {
    report.add({fmt::format("tune-kills: {}", what), static_cast<double>(count), 0});
  };
  none("trials lost", result.lost);
  none("points there twice", result.doubled);
  none("lines that hold no trial", result.unreadable);
  none("searches that ended with an error", result.failures.size());
  return {};
}

}  // namespace
}  // namespace opbench

int bench_tune_kills_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "tune-kills",
       .summary = "one search, killed with -9 and continued",
       .options =
           {{.name = "--kills", .value_name = "N", .help = "how many", .otherwise = "50"},
            {.name = "--seed", .value_name = "N", .help = "of the moments", .otherwise = "1"}},
       .run = opbench::tune_kills_run},
      argc, argv);
}
