#pragma once

#include <cstdint>

#include "machine/target/target.h"

// What a kernel that sums up tiles in registers is expected to take. It need not be right, only
// tell a tuner which configs to look at first: cycles of one core that starts a vector multiply-add
// every cycle and two vector loads, as the narrower of today's AVX-512 machines do.

namespace opbench {

/// Sums in registers: every reduction step adds `pixels` x `vectors` products, of as many broadcast
/// values and vectors.
struct RegisterTile {
  int64_t pixels = 1;
  int64_t vectors = 1;
};

int64_t vector_registers(VectorIsa isa);

/// Vector registers that sums may take; two are left for what is loaded.
int64_t sum_registers(const Target& target);

/// Cycles of one step: the multiply-adds, or the loads, or the latency of too few sums. Sums beyond
/// `registers` are loaded and stored at every step.
double step_cycles(const RegisterTile& tile, int64_t registers);

/// Cycles until the sums of a tile are set, finished and stored.
double tile_cycles(const RegisterTile& tile);

/// The larger of two times that run beside each other, and a tenth of the smaller.
double beside(double cycles, double other);

/// Cycles that it takes to read so many bytes, of which `again` are read over and over: as fast as
/// the cache that holds these.
double read_cycles(double bytes, double again);

}  // namespace opbench
