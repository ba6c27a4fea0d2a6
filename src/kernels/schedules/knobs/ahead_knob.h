#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

// The knob "ahead" of kernels that read many weights: 1 asks for them before they are read
// (prefetch.h), 0 leaves that to the core. By rule it is 0: where it helps and where it costs
// depends on the machine more than on the shape, so that trials decide.

namespace opbench {

/// `config` with the knob's default value, if a kernel that reads `weights` floats has the knob: on
/// x86, from 2 MB on, which a core's own caches do not hold.
Config with_ahead(Config config, const Target& target, int64_t weights);

/// `knobs` with this one, where `with_ahead` gives it to the config.
std::vector<KnobRange> with_ahead(std::vector<KnobRange> knobs, const Target& target,
                                  int64_t weights);

/// True if the config says so.
bool asks_ahead(const Config& config);

}  // namespace opbench
