#include <fmt/format.h>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_layout_conversion(const UnitEvidence& e, const TimeSplit& split) {
  if (e.is_layout_change) {
    return Cause{
        .evidence = "the whole unit changes a layout", .share = 1, .basis = Basis::kMeasured};
  }
  if (e.converted_bytes <= 0) return std::nullopt;
  return Cause{.evidence = fmt::format("{:.3g} MB are read and written to change layouts",
                                       e.converted_bytes / 1e6),
               .share = split.share_of(kLayoutPart)};
}

}  // namespace

CauseDef layout_conversion_cause() {
  return {"layout conversion", "tensors that change their layout", look_for_layout_conversion};
}

}  // namespace opbench
