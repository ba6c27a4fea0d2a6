#pragma once

#include <string>

#include "benchmarks/common/benchmark.h"

namespace opbench {

/// One part of `./dev bench together`: a file `together_<x>.cpp` that defines
/// `TogetherPart <x>_part()`, and a line in bench_together.cpp.
struct TogetherPart {
  std::string name;  ///< what `--part` takes
  std::string summary;
  Result<void> (*run)(const Arguments& arguments, Report& report) = nullptr;
};

TogetherPart stages_part();
TogetherPart planners_part();
TogetherPart threads_part();
TogetherPart placement_part();
TogetherPart many_workers_part();
TogetherPart executor_part();
TogetherPart serving_part();
TogetherPart tuning_part();
TogetherPart recurrent_part();
TogetherPart simulator_part();
TogetherPart segment_pairs_part();
TogetherPart partition_part();
TogetherPart thread_nets_part();

/// The end of the part `serving`: policies on an engine, beside their simulation. `budget_s`: to
/// time each model.
Result<void> run_real_serving(const std::vector<std::string>& models, double budget_s,
                              Report& report);

}  // namespace opbench
