#pragma once

#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/device_choice.h"
#include "experiments/devices/place_graph.h"

namespace opbench {

/// The cost of reading on one device what another one made, equal for any two of these devices. The
/// latency is the longest way of a cache line between the devices' first CPUs, there and back.
/// Bytes move at the pace of the last cache. Where a table declares slower transfers, its values
/// are taken. This is a model, not a measurement. Errors are those of ceilings().
Result<TransferCost> transfer_cost(const std::vector<DeviceChoice>& devices);

}  // namespace opbench
