#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_dispatch(const UnitEvidence& e, const TimeSplit& split) {
  if (e.dispatch_ms <= 0) return std::nullopt;
  return Cause{
      .evidence = fmt::format("a call that does nothing takes {:.2g} us", e.dispatch_ms * 1e3),
      .share = split.share_of(kDispatchPart),
      .basis = Basis::kMeasured};
}

}  // namespace

CauseDef dispatch_cause() {
  return {"dispatch", "a call takes longer than what it does", look_for_dispatch};
}

}  // namespace opbench
