#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_cold_caches(const UnitEvidence& e, const TimeSplit& split) {
  if (e.fetched_bytes <= 0) return std::nullopt;
  return Cause{
      .evidence = fmt::format("the cache mode leaves {:.3g} MB to be read from memory in each call",
                              e.fetched_bytes / 1e6),
      .share = split.share_of("DRAM")};
}

}  // namespace

CauseDef cold_caches_cause() {
  return {"cold caches", "operands that the cache mode put out of the caches",
          look_for_cold_caches};
}

}  // namespace opbench
