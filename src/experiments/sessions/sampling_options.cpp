#include "experiments/sessions/sampling_options.h"

namespace opbench {

SamplingOptions sampling_options(const MeasureOptions& measure, uint64_t seed,
                                 const Preflight& preflight) {
  SamplingOptions options;
  options.precision = measure.precision;
  options.seed = seed;
  options.noise = preflight.noise;
  options.clock_resolution = preflight.clock_resolution;
  options.runs = measure.runs;
  options.warm_up = measure.warm_up;
  return options;
}

}  // namespace opbench
