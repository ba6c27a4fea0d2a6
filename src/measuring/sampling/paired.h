#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/statistics.h"
#include "measuring/sampling/paired_rounds.h"
#include "measuring/sampling/paired_times.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// Times all items on all their sides (docs/reference/measuring.md, "Paired rounds"): calibrates
/// one `number` for all sides of an item, warms every place up, then makes rounds. A round of one
/// item in one process visits the sides in a random order and then in the reverse (ABBA, BAAB;
/// ABCCBA), so that a drift favours no side; its value for a side is the faster of the two visits,
/// as other users of the machine only ever add time. The time of a visit is the fastest of its
/// undisturbed repeats (flag_of: causes, never values; visit_repeats: how many, and why). A visit
/// without one is made again at once, at most seven times; a round in which one stays disturbed is
/// dropped as a whole. If fewer than three rounds are left, all count, but then their error is not
/// known (degrees 0).
///
/// Rounds of all items and processes come in a seeded random order: first min_rounds a process, or
/// fewer where the budget asks for it, but three of every item in any case. Then the rounds of
/// undecided items double, unless they have twice those of the least measured item; else those
/// of decided but imprecise ones, until the budget is spent. When four times the rounds narrow the
/// interval of an undecided item by less than 10 %, it gets more processes, as the rest is
/// variation between them; when those do not help, or cannot be had, its reason to stop is
/// `plateau`. A failed item is not tried again; its process is recovered or, if that fails, given
/// up with those that it is paired with.
PairedResult measure_pairs(const std::vector<PairedItem>& items, Runner& runner, Clock& clock,
                           const PairedOptions& options, const PairedHooks& hooks = {});

}  // namespace opbench
