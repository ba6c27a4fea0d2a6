#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/space/argument.h"

namespace opbench {

/// A knob's value: `sp` factors, `re` a permutation, `an` annotations, `ot` anything.
struct KnobValue {
  std::string name;
  std::string kind;
  Argument value;  ///< a tuple, or for `ot` mostly a scalar
  bool operator==(const KnobValue&) const = default;
};

/// A config of an AutoTVM config space.
struct KnobConfig {
  uint64_t index = 0;  ///< mixed radix, the first declared knob least significant
  std::optional<std::string> code_hash;
  std::vector<KnobValue> knobs;  ///< in declaration order
  bool operator==(const KnobConfig&) const = default;
};

}  // namespace opbench
