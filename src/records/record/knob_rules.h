#pragma once

#include <string>

#include "records/record/tuning_record.h"

namespace opbench {

/// What is wrong with a knob of a tuning log (docs/reference/formats.md, "Knob values"); an empty
/// code if nothing is.
struct KnobFault {
  std::string code;  ///< E_KNOB_KIND or E_KNOB_VALUE
  std::string message;
};
KnobFault check_knob(const KnobValue& knob);

}  // namespace opbench
