#pragma once

namespace opbench {

/// What a comparison measures.
struct CompareScope {
  bool has_control = true;  ///< the base's engine takes part a second time
  bool has_units = true;    ///< false: the model alone
};

}  // namespace opbench
