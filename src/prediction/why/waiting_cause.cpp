#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_waiting(const UnitEvidence& e, const TimeSplit& split) {
  if (e.waiting_ms <= 0) return std::nullopt;
  return Cause{.evidence = e.threads > e.cpus
                               ? fmt::format("{} threads on {} CPUs", e.threads, e.cpus)
                               : std::string("other programs ran on its CPUs"),
               .share = split.share_of(kWaitingPart),
               .basis = Basis::kMeasured};
}

}  // namespace

CauseDef waiting_cause() {
  return {"waiting for a CPU", "threads had work and no CPU", look_for_waiting};
}

}  // namespace opbench
