#include <fmt/format.h>

#include <algorithm>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_smaller_isa(const UnitEvidence& e, const TimeSplit& split) {
  if (!e.kernel || e.machine_bits <= 0) return std::nullopt;
  const int bits = e.kernel->target_bits;
  if (bits <= 0 || bits >= e.machine_bits) return std::nullopt;
  const double lost = 1 - std::min(e.narrow_peak_ratio, 1.0);
  // Wide vectors also load, store and convert with fewer instructions.
  const double elsewhere = split.share_of("L3") + split.share_of("DRAM") +
                           split.share_of(kWaitingPart) + split.share_of(kDispatchPart);
  return Cause{
      .evidence = fmt::format("vectors of {} bits on a machine of {}: {:.0f} % of its peak", bits,
                              e.machine_bits, 100 * e.narrow_peak_ratio),
      .share = lost * std::max(1 - elsewhere, 0.0)};
}

}  // namespace

CauseDef smaller_isa_cause() {
  return {"smaller ISA", "vectors narrower than those of the machine", look_for_smaller_isa};
}

}  // namespace opbench
