// `./dev bench store-kills`: writers, compactors and readers of one store under kill -9.
#include <fmt/format.h>

#include "base/files/file.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "store_kills.h"

namespace opbench {
namespace {

Result<void> run_store_kills(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const int64_t kills, arguments.integer("--kills", 1));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  const std::string place = arguments.value("--folder");
  OPBENCH_TRY(const TemporaryFolder folder,
              place.empty() ? TemporaryFolder::make() : TemporaryFolder::make_in(place));
  const KillTrialResult result = run_kill_trial({.program = opbench_path(),
                                                 .folder = folder.path(),
                                                 .kills = static_cast<int>(kills),
                                                 .seed = static_cast<uint64_t>(seed)});
  report.note(
      fmt::format("killed: {} writers, {} compactors, {} readers; finished: {} batches, {} "
                  "compactions, {} reads",
                  result.killed_writers, result.killed_compactors, result.killed_readers,
                  result.acknowledged, result.compactions, result.reads));
  for (const std::string& failure : result.failures) report.note("failed: " + failure);
  const auto none = [&](const char* what, auto count) {
    report.add({fmt::format("store-kills: {}", what), static_cast<double>(count), 0});
  };
  none("acknowledged batches lost", result.lost);
  none("batches there twice", result.doubled);
  none("batches there in part", result.partial);
  none("reads with a wrong answer", result.wrong_reads);
  none("programs that ended with an error", result.failures.size());
  return {};
}

}  // namespace
}  // namespace opbench

int bench_store_kills_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "store-kills",
       .summary = "8 programs on one store, killed with -9",
       .options =
           {{.name = "--kills", .value_name = "N", .help = "how many", .otherwise = "500"},
            {.name = "--seed", .value_name = "N", .help = "of the moments", .otherwise = "1"},
            {.name = "--folder", .value_name = "DIR", .help = "place of the store"}},
       .run = opbench::run_store_kills},
      argc, argv);
}
