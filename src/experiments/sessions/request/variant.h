#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/run_settings.h"

namespace opbench {

/// One way to run a model: an engine on so many threads.
struct Variant {
  std::string engine = "halide";
  int threads = 1;  ///< at least 1
  RunSettings settings;
};

/// Each engine at each thread count, with the same settings: thread counts in order, the engines in
/// order at each.
std::vector<Variant> variants_of(const std::vector<std::string>& engines,
                                 const std::vector<int>& threads, const RunSettings& settings);

}  // namespace opbench
