#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_reference_code(const UnitEvidence& e, const TimeSplit& split) {
  if (!e.runs_reference) return std::nullopt;
  return Cause{.evidence = "no schedule takes the unit: the reference of its operator runs",
               .share = split.share_of(kUnexplainedPart)};
}

}  // namespace

CauseDef reference_code_cause() {
  return {"no kernel", "the references of the operators run, which are not optimised",
          look_for_reference_code};
}

}  // namespace opbench
