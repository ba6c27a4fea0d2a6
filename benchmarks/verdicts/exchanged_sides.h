#pragma once

#include <cstdint>

#include "experiments/compare/compare_plan.h"
#include "measuring/sampling/paired.h"

namespace opbench {

/// A comparison's times as they could have been: in every process, the sides that run the same code
/// change places at random, on all items alike, and the ratios are estimated anew. Which of two
/// equal processes is called the base is chance, so that verdicts on such times are as likely false
/// as those on a measurement of their own, though not independent of the others made from it.
///
/// The base and its A/A control change places; with `is_same_code` the new side, the first, does
/// too. Medians and raw samples of the sides stay as they were measured.
PairedResult exchange_sides(const ComparePlan& plan, PairedResult times, bool is_same_code,
                            uint64_t seed);

}  // namespace opbench
