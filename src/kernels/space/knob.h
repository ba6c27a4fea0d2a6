#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/space/argument.h"

namespace opbench {

enum class KnobKind { kSplit, kReorder, kAnnotate, kOther };

/// `sp`, `re`, `an`, `ot`: as records have it.
std::string_view tag_of(KnobKind kind);

/// One choice of a template and all it can be.
struct Knob {
  std::string name;
  KnobKind kind = KnobKind::kOther;
  std::string policy;   ///< factors, power2, verbose, candidate, try_unroll, …; of `ot` empty
  int64_t product = 0;  ///< of a split: the axis' length
  int num_outputs = 0;  ///< of a split: loops it makes
  std::vector<Argument>
      entities;  ///< tuples, or for `ot` mostly scalars; in the order of numbering
};

}  // namespace opbench
