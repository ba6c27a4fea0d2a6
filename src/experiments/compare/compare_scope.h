#pragma once

#include <string>

namespace opbench {

/// What a comparison measures.
struct CompareScope {
  bool has_control = true;  ///< the base takes part a second time, which gives the A/A floor
  bool has_units = true;    ///< false: the model alone
  std::string only = {};    ///< the unit with this workload alone, without the model; empty: all
  int processes = 0;        ///< of each side; 0: as the budget allows
  int rounds = 0;           ///< of every row in a process at least; 0: the sampler's own number
  bool takes_emulated = false;  ///< sides in an emulator: ratios, no verdicts
};

}  // namespace opbench
