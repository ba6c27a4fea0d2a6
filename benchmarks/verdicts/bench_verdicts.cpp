// `./dev bench verdicts`: how often `compare` says something false, and how often it finds what is
// there.
#include <fmt/format.h>

#include <set>

#include "benchmarks/common/benchmark.h"
#include "benchmarks/verdicts/measured_verdicts.h"
#include "benchmarks/verdicts/simulated_verdicts.h"
#include "experiments/compare/compare_request.h"

namespace opbench {
namespace {

Result<MeasuredVerdicts> settings_of(const Arguments& arguments, int64_t trials) {
  MeasuredVerdicts settings{.trials = trials};
  settings.model = arguments.value("--model");
  settings.engine = arguments.value("--engine");
  settings.unit = arguments.value("--unit");
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1));
  settings.threads = static_cast<int>(threads);
  OPBENCH_TRY(settings.budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(settings.exchanges, arguments.integer("--exchanges", 0));
  OPBENCH_TRY(settings.first, arguments.integer("--first", 1));
  settings.kinds = arguments.values("--kinds");
  const std::set<std::string> known = {"bursty", "hidden", "quiet", "slow"};
  for (const std::string& kind : settings.kinds) {
    if (known.contains(kind)) continue;
    return Error{ErrorCode::kInvalidInput, "unknown kind \"" + kind + "\""}.with(
        "known", "bursty, hidden, quiet, slow");
  }
  return settings;
}

Result<void> run_verdicts(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const int64_t trials, arguments.integer("--trials", 1));
  OPBENCH_TRY(const MeasuredVerdicts settings, settings_of(arguments, trials));
  OPBENCH_TRY(const bool is_simulated, arguments.is_on("--simulate"));
  if (is_simulated) return add_simulated_verdicts(trials, report);
  return add_measured_verdicts(settings, report);
}

std::vector<OptionDef> verdicts_options() {
  return {{.name = "--simulate",
           .help = "on a simulated machine, the same everywhere; else with real engines",
           .kind = OptionKind::kSwitch},
          {.name = "--trials",
           .value_name = "N",
           .help = "judgings of comparisons of each kind",
           .otherwise = "200"},
          {.name = "--exchanges",
           .value_name = "N",
           .help = "more judgings of a measured comparison, each with the sides that run the same "
                   "code exchanged at random, process by process; 0: every judging is measured",
           .otherwise = "9"},
          {.name = "--first",
           .value_name = "N",
           .help = "number of the first, so that many can be made in parts",
           .otherwise = "1"},
          {.name = "--kinds",
           .value_name = "KIND,KIND…",
           .help = "quiet, bursty: the same code; slow, hidden: a unit 3 % slower, when quiet and "
                   "beside bursts",
           .otherwise = "quiet,bursty,slow,hidden",
           .kind = OptionKind::kList},
          {.name = "--model",
           .value_name = "NAME",
           .help = "of the zoo",
           .otherwise = "squeezenet_v1.1"},
          {.name = "--engine", .value_name = "NAME", .help = "both sides", .otherwise = "halide"},
          {.name = "--threads", .value_name = "N", .help = "of a call", .otherwise = "1"},
          {.name = "--unit",
           .value_name = "UNIT",
           .help = "which is made slow, as for --inject-fault",
           .otherwise = "1"},
          {.name = "--budget",
           .value_name = "SECONDS",
           .help = "for a comparison",
           .otherwise = fmt::format("{}", CompareRequest{}.budget_s)}};
}

}  // namespace
}  // namespace opbench

int bench_verdicts_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "verdicts",
      .summary = "how often compare says something false, and finds what is there",
      .options = opbench::verdicts_options(),
      .run = opbench::run_verdicts};
  return opbench::run_benchmark(benchmark, argc, argv);
}
