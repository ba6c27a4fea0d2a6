#pragma once

#include "watching/nights/night_state.h"

namespace opbench {

/// What a change of one unit means for its chain.
struct ChainEffect {
  double expected = 0;  ///< ln(new / old) of the chain, if nothing else in it changed; 0: no chain
  bool seems_moved = false;   ///< the nights say so
  bool may_be_moved = false;  ///< another unit was rebuilt, and may have taken or given the cost
};

/// `size`: ln(new / old) of the unit.
ChainEffect chain_effect(const WatchState& state, const Question& question, double size);

}  // namespace opbench
