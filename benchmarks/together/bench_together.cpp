// `./dev bench together`: operators that run together: planners, placement, simulated machines.
#include <algorithm>
#include <string>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/tables/table.h"
#include "benchmarks/together/part.h"

namespace opbench {
namespace {

const Table<TogetherPart>& bench_together_parts() {
  static const Table<TogetherPart> table(
      "part",
      {stages_part(), planners_part(), threads_part(), placement_part(), many_workers_part(),
       executor_part(), simulator_part(), serving_part(), segment_pairs_part(), recurrent_part(),
       tuning_part(), partition_part(), thread_nets_part()});
  return table;
}

Result<void> run_bench_together(const Arguments& arguments, Report& report) {
  std::vector<std::string> names = arguments.values("--part");
  if (names.empty()) names = bench_together_parts().names();
  for (const std::string& name : names) {
    OPBENCH_TRY(const TogetherPart* part, bench_together_parts().find(name));
    report.note("\n" + part->name + ": " + part->summary);
    OPBENCH_CHECK(part->run(arguments, report));
  }
  return {};
}

}  // namespace
}  // namespace opbench

int bench_together_main(int argc, char** argv) {
  using opbench::OptionKind;
  const opbench::BenchmarkDef benchmark{
      .name = "together",
      .summary = "operators that run together: planners, placement, simulated machines",
      .options =
          {{.name = "--part",
            .value_name = "NAME,NAME…",
            .help = opbench::join(opbench::bench_together_parts().names()) + "; default: all",
            .kind = OptionKind::kList},
           {.name = "--models",
            .value_name = "MODEL,MODEL…",
            .help = "built-in models whose units get predicted times",
            .otherwise = "inception_v3,squeezenet_v1.1,nasnetalarge",
            .kind = OptionKind::kList},
           {.name = "--run",
            .value_name = "MODEL,MODEL…",
            .help = "models whose plans are run, or all; NAME@SIDE: on images of SIDE pixels",
            .otherwise = "inception_v3,inception_v3@128,nasnetalarge@96,nasnetalarge@160,"
                         "yolov5n,squeezenet_v1.1,alexnet",
            .kind = OptionKind::kList},
           {.name = "--nets",
            .value_name = "MODEL,MODEL…",
            .help = "built-in models that `thread-nets` plans and runs",
            .otherwise = "inception_v3,squeezenet_v1.1,resnet-18,mobilenet_v2",
            .kind = OptionKind::kList},
           {.name = "--devices",
            .value_name = "CPU,CPU",
            .help = "the two of this machine that `partition` splits operators on",
            .otherwise = "cpu0,cpu1:avx2",
            .kind = OptionKind::kList},
           {.name = "--budget",
            .value_name = "SECONDS",
            .help = "to measure a model, and each of its comparisons; of `partition`: one "
                    "workload on one device",
            .otherwise = "20"},
           {.name = "--planner",
            .value_name = "NAME",
            .help = "whose plan `recurrent` runs",
            .otherwise = "mixed"},
           {.name = "--profiles",
            .value_name = "FILE,FILE…",
            .help = "reports of `opbench profile --format json`: models with measured times",
            .kind = OptionKind::kList},
           {.name = "--served",
            .value_name = "FILE",
            .help = "a report of `opbench serve --format json`: measured segments"},
           {.name = "--pairs",
            .value_name = "FILE",
            .help = "a report of `opbench interference --format json`: pairs measured before"},
           {.name = "--pairs-budget",
            .value_name = "SECONDS",
            .help = "to measure pairs of segments side by side",
            .otherwise = "330"},
           {.name = "--sweeps",
            .value_name = "FOLDER",
            .help = "of times over threads, lines `threads time` below a line of names",
            .otherwise = OPBENCH_SHARED_DATA "/thread-sweeps"},
           {.name = "--graphs",
            .value_name = "FOLDER",
            .help = "of random graphs, files ws-*.txt: nodes, edges, then an edge a line",
            .otherwise = OPBENCH_SHARED_DATA "/ios"}},
      .run = opbench::run_bench_together};
  return opbench::run_benchmark(benchmark, argc, argv);
}
