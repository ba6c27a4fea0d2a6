#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine/ceilings/ceilings.h"
#include "prediction/why/machine_code.h"
#include "prediction/workloads/kernel_work.h"

namespace opbench {

/// What is known of a unit's kernel when it is ours.
struct KernelEvidence {
  KernelWork work;           ///< what it really computes and moves
  double tap_flops = 0;      ///< of all taps of its outputs, those on the padding too; 0: no taps
  double tile_waste = 1;     ///< columns that its tiles compute over those that there are
  int target_bits = 0;       ///< of the vectors that its target allows
  std::string schedule;      ///< its name and config
  MachineCode code;          ///< empty where `no_code` says why
  std::string no_code = {};  ///< why its instructions are not known; empty: they are
};

/// What is known of one call of a unit: what was measured, what it has to compute, and on what.
struct UnitEvidence {
  double time_ms = 0;      ///< measured
  double dispatch_ms = 0;  ///< measured: what a call of the engine takes that does nothing
  double waiting_ms = 0;   ///< measured: threads that had work and no CPU, per call and thread
  int threads = 1;
  int cpus = 1;              ///< that they run on
  double flops = 0;          ///< of the definition
  double bytes = 0;          ///< of its tensors, each once
  double fetched_bytes = 0;  ///< from memory in each call, as the cache mode put them out of caches
  double streamed_bytes = 0;   ///< of weights that come from memory in each call, as the last cache
                               ///< does not hold all that are read between two calls
  double converted_bytes = 0;  ///< read and written by changes of layout inside the unit
  bool is_layout_change = false;
  bool runs_reference = false;           ///< no kernel: the operators' references run on one thread
  std::optional<KernelEvidence> kernel;  ///< nothing: another engine's, or references
  int machine_bits = 0;                  ///< of this machine's vectors
  double narrow_peak_ratio = 1;  ///< peak with the target's vectors over that of the machine's
  Ceilings ceilings;
  std::optional<double> peak_gflops;  ///< of all threads, measured beside the run
};

/// FLOPs that take time: those of the kernel where that is ours, in multiply-adds of float32.
double computed_flops(const UnitEvidence& evidence);

}  // namespace opbench
