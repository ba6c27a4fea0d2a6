// One operator in parts on two devices: the split that few times lead to beside the best of all
// splits, and how soon the balancer follows a device that becomes slower.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "benchmarks/together/part.h"
#include "benchmarks/together/ratio.h"
#include "experiments/partition/partition_session.h"

namespace opbench {
namespace {

constexpr double kMostOverBest = 1.03;
constexpr double kMostRounds = 5;

// Few and many channels, large and small images, products with and without a long reduction.
const std::vector<std::string>& workloads() {
  static const std::vector<std::string> texts = {
      "conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu",
      "conv2d 1x256x14x14 w:512x256x1x1; relu",
      "conv2d 1x128x28x28 w:128x128x3x3 pads=1,1,1,1",
      "conv2d 1x3x224x224 w:64x3x7x7 strides=2,2 pads=3,3,3,3; relu",
      "dense 64x1024 w:1024x1024",
      "matmul 256x512 w:512x512"};
  return texts;
}

struct TogetherPartitionTally {
  OverOptimum probed;
  int most_rounds = 0;  ///< until the balancer was near the best split again
  int left_out = 0;
};

/// How often the balancer has to try, for a second device that becomes slower by each factor.
Result<std::string> together_partition_balance(const PartitionGrid& grid,
                                               TogetherPartitionTally& tally) {
  std::string text;
  for (const double factor : {1.5, 2.0, 4.0}) {
    const PartitionStudyOptions options{.slow_factor = factor};
    OPBENCH_TRY(const PartitionStudy study, study_partition(grid, options));
    const int simulated = options.rounds - options.slow_round;
    tally.most_rounds = std::max(tally.most_rounds, study.adapted_after.value_or(simulated));
    text += fmt::format("{}{} at {:g} ×", text.empty() ? "" : ", ",
                        study.adapted_after ? fmt::format("{}", *study.adapted_after)
                                            : fmt::format("more than {}", simulated),
                        factor);
  }
  return text;
}

std::string split_text(const SplitChoice& split, int parts) {
  return fmt::format("{} + {} in {:.4f} ms", split.first_parts, parts - split.first_parts,
                     split.time_ms);
}

Result<void> measure_together_partition(PartitionRequest request, const std::string& workload,
                                        TogetherPartitionTally& tally, Report& report) {
  request.run.model.workload = workload;
  OPBENCH_TRY(const PartitionResult result, run_partition(request));
  const PartitionGrid& grid = result.grid;
  const PartitionStudy& study = result.study;
  const double over = study.probed.time_ms / study.best.time_ms;
  tally.probed.add(over);
  OPBENCH_TRY(const std::string rounds, together_partition_balance(grid, tally));
  report.note(fmt::format(
      "{}: {} parts of {} channels; best {} (alone {:.4f} ms), even {}, probed {} after {} of {} "
      "times: {:.3f} × the best; guided {:.4f} ms; rounds to adapt {}",
      workload, grid.parts, grid.part_channels, split_text(study.best, grid.parts), study.alone_ms,
      split_text(study.even, grid.parts), split_text(study.probed, grid.parts), study.probes,
      2 * grid.parts, over, study.guided_ms, rounds));
  for (const std::string& warning : result.warnings) report.note("  warning: " + warning);
  return {};
}

Result<void> run_together_partition(const Arguments& arguments, Report& report) {
  PartitionRequest request;
  OPBENCH_TRY(request.devices, parse_devices(arguments.values("--devices")));
  OPBENCH_TRY(request.run.measure.budget_s, arguments.positive("--budget"));
  TogetherPartitionTally tally;
  for (const std::string& workload : workloads()) {
    Report::progress("partition: " + workload);
    const auto measured = measure_together_partition(request, workload, tally, report);
    if (measured) continue;
    ++tally.left_out;
    report.note(fmt::format("{}: left out: {}", workload, to_text(measured.error())));
  }
  const std::string reason = tally.probed.count == 0 ? "no workload was measured" : "";
  report.add({"together partition: workloads left out", static_cast<double>(tally.left_out), 0});
  report.add({"together partition: probed split over the grid's best, worst", tally.probed.worst,
              kMostOverBest, reason});
  report.add({"together partition: rounds until the balancer is within 3 % of the best, most",
              static_cast<double>(tally.most_rounds), kMostRounds, reason});
  return {};
}

}  // namespace

TogetherPart partition_part() {
  return {.name = "partition",
          .summary = "one operator in parts on two devices: the split by few times, the balancer",
          .run = run_together_partition};
}

}  // namespace opbench
