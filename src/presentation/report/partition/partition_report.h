#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/partition/partition_session.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a split: parts and measured times of both devices, the time of both, how far it is from
/// the grid's best.
TextTable split_table(const PartitionResult& result);

/// A row a round of the balancer, while the second device becomes slower: simulated.
TextTable balance_table(const PartitionResult& result);

/// What was split, the grid, the best split beside everything on one device, the split from few
/// probes, guided self-scheduling; the balancer's rounds.
std::string partition_text(const PartitionResult& result, int width, const TextStyle& style);

/// `opbench.partition/1`: docs/how-to/placement.md.
Json partition_json(const PartitionResult& result);

}  // namespace opbench
