#include <fmt/format.h>

#include <algorithm>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_scalar_loop(const UnitEvidence& e, const TimeSplit& split) {
  if (!e.kernel || !e.kernel->code.hot) return std::nullopt;
  const HotLoop& loop = *e.kernel->code.hot;
  if (loop.arithmetic == 0 || 2 * loop.scalar <= loop.arithmetic) return std::nullopt;
  const double lanes = std::max(e.machine_bits, 128) / 32.0;
  const double lost = split.ms_of(kComputePart) * (lanes - 1);
  return Cause{.evidence = fmt::format("{} of {} operations of the hot loop are on one lane",
                                       loop.scalar, loop.arithmetic),
               .share = std::min(lost, split.ms_of(kUnexplainedPart)) / split.time_ms};
}

}  // namespace

CauseDef scalar_loop_cause() {
  return {"loop not vectorised", "arithmetic on one lane of a vector register",
          look_for_scalar_loop};
}

}  // namespace opbench
