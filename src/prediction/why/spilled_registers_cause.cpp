#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_spilled_registers(const UnitEvidence& e, const TimeSplit& split) {
  if (!e.kernel || !e.kernel->code.hot || split.time_ms <= 0) return std::nullopt;
  const HotLoop& loop = *e.kernel->code.hot;
  const int spills = loop.stack_loads + loop.stack_stores;
  // One or two values that the loop only reads cost little.
  const bool is_notable = loop.is_loop && spills >= 4 && 10 * spills >= loop.arithmetic;
  if (!is_notable) return std::nullopt;
  return Cause{
      .evidence = fmt::format("{} loads from the stack and {} stores to it beside {} vector "
                              "operations in the hot loop",
                              loop.stack_loads, loop.stack_stores, loop.arithmetic),
      .share = static_cast<double>(spills) / (spills + loop.arithmetic)};
}

}  // namespace

CauseDef spilled_registers_cause() {
  return {"spilled registers", "sums that do not fit the registers go to the stack and back",
          look_for_spilled_registers};
}

}  // namespace opbench
