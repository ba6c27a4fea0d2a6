// `./dev bench verdicts`: how often `compare` says something false, and how often it finds what is
// there.
#include "benchmark.h"
#include "simulated_verdicts.h"

namespace opbench {
namespace {

Result<void> run(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const int64_t trials, arguments.integer("--trials", 1));
  return add_simulated_verdicts(trials, report);
}

}  // namespace
}  // namespace opbench

int main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "verdicts",
      .summary = "how often compare says something false, and finds what is there",
      .options = {{.name = "--simulate",
                   .help = "simulated noise only, the same everywhere",
                   .kind = opbench::OptionKind::kSwitch},
                  {.name = "--trials",
                   .value_name = "N",
                   .help = "comparisons of each kind",
                   .otherwise = "200"}},
      .run = opbench::run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
