#include <fmt/format.h>

#include <algorithm>

#include "prediction/why/cause.h"

namespace opbench {
namespace {

std::optional<Cause> look_for_tile_remainder(const UnitEvidence& e, const TimeSplit& split) {
  if (!e.kernel) return std::nullopt;
  const KernelEvidence& kernel = *e.kernel;
  const double exact = std::max(kernel.tap_flops, e.flops);
  const double filled = exact > 0 ? std::max(kernel.work.flops / exact, 1.0) : 1;
  const double waste = std::max(kernel.tile_waste, 1.0) * filled;
  return Cause{.evidence = fmt::format("its tiles compute {:.2f} times the outputs", waste),
               .share = (1 - 1 / waste) * split.share_of(kComputePart)};
}

}  // namespace

CauseDef tile_remainder_cause() {
  return {"tiles with a large remainder", "tiles, blocks or vectors that reach beyond the output",
          look_for_tile_remainder};
}

}  // namespace opbench
