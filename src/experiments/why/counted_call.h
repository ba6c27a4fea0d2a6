#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "experiments/sessions/session.h"
#include "machine/facts/hardware_counters.h"

namespace opbench {

/// What the engine's process counts in a call of the group, in a pass of its own after the timed
/// ones. Empty where the group was not timed alone, where it fails, or where the events cannot be
/// had.
std::map<std::string, double> counted_call(Session& session, size_t engine_run,
                                           const UnitGroup& group,
                                           const std::vector<CounterEvent>& events);

}  // namespace opbench
