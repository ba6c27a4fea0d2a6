#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_memory_level(const UnitEvidence& e, const TimeSplit& split) {
  // What comes from memory for a reason of its own has a name of its own.
  if (e.is_layout_change || e.fetched_bytes > 0 || e.streamed_bytes > 0) return std::nullopt;
  const TimePart* longest = nullptr;
  for (const TimePart& part : split.parts) {
    const bool is_longer = longest == nullptr || part.ms > longest->ms;
    if (is_memory_part(part.name) && is_longer) longest = &part;
  }
  constexpr double kLeastBound = 0.2;
  if (longest == nullptr || split.share_of(longest->name) < kLeastBound) return std::nullopt;
  return Cause{.evidence = fmt::format(
                   "moving data at the bandwidth of {} takes longer than computing", longest->name),
               .share = split.share_of(longest->name)};
}

}  // namespace

CauseDef memory_level_cause() {
  return {"bound by a memory level", "data comes slower than it is computed with",
          look_for_memory_level};
}

}  // namespace opbench
