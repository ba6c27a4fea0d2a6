#pragma once

#include <vector>

#include "kernels/space/config_space.h"

namespace opbench {

/// A config as numbers for a cost model (docs/reference/config-spaces.md, "Knob features"), knob
/// after knob: a split's sizes with the -1, a permutation, per annotation one of eleven flags
/// (none, vec, unroll, blockIdx.x, .y, .z, threadIdx.x, .y, .z, vthread, fuse), an option's value
/// with True as 1. Anchors of locate_cache are numbers; an option that is neither number nor truth
/// value counts as 0.
std::vector<float> knob_features(const KnobConfig& config);

/// The same of a config by its digits.
std::vector<float> knob_features(const ConfigSpace& space, const std::vector<size_t>& digits);

}  // namespace opbench
