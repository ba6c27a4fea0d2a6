#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/place/device_choice.h"
#include "experiments/place/place_graph.h"

namespace opbench {

/// What it costs that a device reads what another has made, between any two of these: the longest
/// way of a cache line between the devices' first CPUs, there and back, and bytes at the pace of
/// the last cache; a table's own declaration where that is slower. Modelled. Errors are those of
/// ceilings().
Result<TransferCost> transfer_cost(const std::vector<DeviceChoice>& devices);

}  // namespace opbench
