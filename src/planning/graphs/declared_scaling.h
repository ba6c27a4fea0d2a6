#pragma once

#include <string>
#include <vector>

#include "planning/graphs/timed_graph.h"

namespace opbench {

/// How a time falls with threads by the universal scalability law (Gunther 2007):
/// T(n) = T(1) (1 + contention (n - 1) + coherence n (n - 1)) / n.
struct ScalingLaw {
  double contention = 0;  ///< 0 to 1
  double coherence = 0;   ///< at least 0
  double time_ms(double one_thread_ms, int threads) const;
};

/// The law of a kind of unit: a declaration, not a measurement. Kinds that begin with a convolution
/// or a product scale best, what only moves or adds data worst.
ScalingLaw declared_law(const std::string& kind);

/// The graph with times for teams of 1, 2, 4, … up to `workers`, made from its times of one thread
/// by the declared laws: a simulated machine. A small unit pays for its team: each doubling adds
/// `join_ms`.
TimedGraph with_declared_scaling(TimedGraph timed, int workers, double join_ms);

}  // namespace opbench
