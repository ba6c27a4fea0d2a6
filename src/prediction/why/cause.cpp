#include "prediction/why/cause.h"

#include <algorithm>

namespace opbench {

std::vector<Cause> causes_of(const UnitEvidence& evidence, const TimeSplit& split) {
  std::vector<Cause> causes;
  if (split.time_ms <= 0) return causes;
  for (const CauseDef& def : cause_table().all()) {
    std::optional<Cause> cause = def.look(evidence, split);
    if (!cause || cause->share < kLeastCause) continue;
    cause->name = def.name;
    cause->share = std::min(cause->share, 1.0);
    causes.push_back(std::move(*cause));
  }
  std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.share > b.share; });
  return causes;
}

}  // namespace opbench
