#pragma once

#include <cstddef>
#include <vector>

#include "base/numbers/random.h"

namespace opbench {

/// The parameters of a random graph: N, K and P of Watts and Strogatz.
struct WiringOptions {
  size_t nodes = 0;
  size_t degree = 0;       ///< neighbours of a node at first, even and below `nodes`
  double probability = 0;  ///< that an edge is rewired
};

/// Draws an acyclic graph by the model of Watts and Strogatz (1998). The nodes form a ring. Each is
/// connected to its `degree / 2` nearest neighbours on both sides; then edges get another end at
/// random. An edge leads from the smaller number to the larger one.
///
/// Returns the sources of the edges into each node, in ascending order. There are
/// `nodes * degree / 2` edges, no two of them between the same nodes.
std::vector<std::vector<size_t>> random_wiring(const WiringOptions& options, Random random);

}  // namespace opbench
