#include <fmt/format.h>

#include "base/text/counted.h"
#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_missing_threads(const UnitEvidence& e, const TimeSplit& split) {
  if (e.threads < 2) return std::nullopt;
  const std::optional<int64_t> tasks = e.runs_reference ? 1
                                       : e.kernel       ? parallel_tasks(e.kernel->code)
                                                        : std::nullopt;
  if (!tasks || *tasks >= e.threads) return std::nullopt;
  return Cause{.evidence = fmt::format("{} on {} threads", counted(*tasks, "task"), e.threads),
               .share = split.share_of(kUnevenPart)};
}

}  // namespace

CauseDef missing_threads_cause() {
  return {"missing threads", "fewer tasks than threads", look_for_missing_threads};
}

}  // namespace opbench
