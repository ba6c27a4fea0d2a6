#pragma once

#include "prediction/workloads/unit_features.h"

namespace opbench {

/// How many tasks the schedule of a unit's kernel gives threads to share, estimated from the blocks
/// and rows of the output; at least 1. 1 where there is too little work for a parallel loop.
double parallel_tasks(const UnitFeatures& features);

/// How a unit's time scales from one configuration to another by what is known of both, without
/// learning: wave scaling (Yu et al., Habitat, USENIX ATC 2021, section 3.3) with threads in place
/// of multiprocessors, and ceilings that are measured.
struct WaveScaling {
  double compute_ratio = 1;  ///< time at the compute ceilings, the busiest thread's tasks counted
  double memory_ratio = 1;   ///< time at the bandwidth ceilings
  double memory_share = 1;  ///< gamma: exponent of the memory ratio; the compute ratio has the rest
  double ratio = 1;         ///< time in the new configuration over time in the old one
};

/// Features of the same workload, made with the ceilings and kernels of each configuration. A
/// ratio that the ceilings do not tell is 1.
WaveScaling wave_scaling(const UnitFeatures& from, int from_threads, const UnitFeatures& to,
                         int to_threads);

}  // namespace opbench
