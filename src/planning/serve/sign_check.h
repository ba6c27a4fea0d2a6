#pragma once

#include <string>
#include <vector>

#include "planning/serve/serving_study.h"

namespace opbench {

enum class SignVerdict {
  kConfirmed,     ///< the measured interval lies on the simulated side of 0, beyond the control's
  kContradicted,  ///< it lies on the other side
  kOpen,          ///< it holds less than the control shows, or there is one seed and no interval
};

/// `confirmed`, `contradicted`, `open`
const char* name_of(SignVerdict verdict);

/// A difference of violations, paired by seeds, in a simulation and as measured.
struct SignCheck {
  double load = 0;
  std::string first, second;     ///< names of results
  SeedMean simulated, measured;  ///< violations of the first less those of the second
  SignVerdict verdict = SignVerdict::kOpen;
};

/// For each load the simulation's comparison, where both of its sides were measured too. Both
/// studies have the same loads.
std::vector<SignCheck> check_signs(const ServingStudy& simulated, const ServingStudy& measured);

}  // namespace opbench
