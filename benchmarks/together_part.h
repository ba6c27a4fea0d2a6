#pragma once

#include <string>

#include "benchmark.h"

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
TogetherPart recurrent_part();

}  // namespace opbench
