#pragma once

#include <cstdint>
#include <vector>

#include "kernels/space/config_space.h"
#include "kernels/space/space_builder.h"

/// What AutoTVM takes for a workload without a record (docs/reference/config-spaces.md, "Default
/// configs").
namespace opbench {

/// From the innermost part on, the largest divisor of what is left that is at most the part's
/// limit; -1 is none. 128 by {-1, 8, 4} is {4, 8, 4}: the first is a real extent.
SplitSizes fallback_split(int64_t length, const std::vector<int64_t>& limits);

/// A value of a split knob with its sizes, of an option.
KnobValue split_value(const std::string& name, const SplitSizes& sizes);
KnobValue option_value(const std::string& name, Argument value);

/// A record of another workload of the same template. `space` is that workload's: it tells the
/// length of an axis whose split was logged with -1. Where it lacks the knob, that split scores 0.
struct ReferenceConfig {
  KnobConfig config;
  ConfigSpace space = {};
};

/// The reference whose axes share most divisors with those of `space` (the first of equals): its
/// sizes limit the splits, its other values are taken as they are. The first entity of every knob
/// when no reference scores. The index as in `with_index`.
KnobConfig fallback_from_references(const ConfigSpace& space,
                                    const std::vector<ReferenceConfig>& references);

/// The config with the index of the config that has its values, their outer extents free; 0 if
/// there is none.
KnobConfig with_index(const ConfigSpace& space, KnobConfig config);

/// The config with -1 for the outer extents of splits that the space leaves free.
KnobConfig with_free_outer_extents(const ConfigSpace& space, KnobConfig config);

}  // namespace opbench
