#include "experiments/sessions/sampling_options.h"

namespace opbench {

SamplingOptions sampling_options(const ProfileRequest& request, const Preflight& preflight) {
  SamplingOptions options;
  options.precision = request.measure.precision;
  options.seed = request.model.seed;
  options.noise = preflight.noise;
  options.clock_resolution = preflight.clock_resolution;
  options.runs = request.measure.runs;
  options.warm_up = request.measure.warm_up;
  return options;
}

}  // namespace opbench
