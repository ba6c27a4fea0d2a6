#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_uneven_threads(const UnitEvidence& e, const TimeSplit& split) {
  if (e.threads < 2 || !e.kernel) return std::nullopt;
  const std::optional<int64_t> tasks = parallel_tasks(e.kernel->code);
  if (!tasks || *tasks <= e.threads) return std::nullopt;
  return Cause{.evidence = fmt::format("{} tasks on {} threads", *tasks, e.threads),
               .share = split.share_of(kUnevenPart)};
}

}  // namespace

CauseDef uneven_threads_cause() {
  return {"uneven threads", "tasks that do not divide among the threads", look_for_uneven_threads};
}

}  // namespace opbench
