#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_streamed_weights(const UnitEvidence& e, const TimeSplit& split) {
  if (e.streamed_bytes <= 0) return std::nullopt;
  return Cause{
      .evidence = fmt::format("{:.1f} MB of weights, more than the last cache keeps between calls",
                              e.streamed_bytes / 1e6),
      .share = split.share_of("DRAM")};
}

}  // namespace

CauseDef streamed_weights_cause() {
  return {"weights streamed from memory", "weights that no cache holds from call to call",
          look_for_streamed_weights};
}

}  // namespace opbench
