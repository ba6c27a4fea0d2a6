#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_padding_taps(const UnitEvidence& e, const TimeSplit& split) {
  if (!e.kernel || e.kernel->tap_flops <= 0 || e.flops <= 0) return std::nullopt;
  // A kernel that transforms computes fewer products than there are taps.
  const double computed = e.kernel->work.flops, all = e.kernel->tap_flops;
  if (computed < all || e.flops >= all) return std::nullopt;
  const double wasted = (all - e.flops) / computed;
  return Cause{.evidence = fmt::format(
                   "it multiplies {:.2f} times as many taps as lie in the input", all / e.flops),
               .share = wasted * split.share_of(kComputePart)};
}

}  // namespace

CauseDef padding_taps_cause() {
  return {"padding taps computed", "multiply-adds with the zeros of the padding",
          look_for_padding_taps};
}

}  // namespace opbench
