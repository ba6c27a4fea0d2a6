#pragma once

#include <vector>

#include "planning/graphs/unit_graph.h"

namespace opbench {

/// Units that one worker runs one after the other.
struct WeightTask {
  std::vector<int> units;  ///< ascending
  std::vector<int> needs;  ///< tasks of smaller numbers
};

/// Whether two units read the same weights.
bool reuses_weights(const UnitGraph& graph);

/// All units as tasks, each before those that need it. A task holds units that read the same
/// weights, `block` of them at most for each weights. Units whose weights need each other in a
/// circle, as the gates of a recurrent layer do, share their tasks. A unit that shares no weights
/// and is in no such circle is a task of its own.
///
/// The block number of a unit is the count of earlier units with its weights, divided by `block`.
/// It is at least the block number of every unit that it needs. So tasks never wait in a circle.
std::vector<WeightTask> weight_tasks(const UnitGraph& graph, int block);

}  // namespace opbench
