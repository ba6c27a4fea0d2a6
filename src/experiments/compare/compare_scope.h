#pragma once

namespace opbench {

/// What a comparison measures.
struct CompareScope {
  bool has_control = true;  ///< the base takes part a second time, which gives the A/A floor
  bool has_units = true;    ///< false: the model alone
};

}  // namespace opbench
