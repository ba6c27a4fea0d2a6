#include "prediction/costs/physical_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace opbench {
namespace {

// A row whose types are not known may be narrow.
bool may_be_narrow(const UnitResult& unit) {
  if (unit.workload.empty()) return true;
  constexpr std::array kWords = {"int8", "float16", "int16", "int4", "float8"};
  return std::ranges::any_of(kWords, [&](const char* word) {
    return unit.workload.find(word) != std::string::npos;
  });
}

}  // namespace

double physical_floor_s(double flops, bool is_narrow, const Ceilings& ceilings, int threads) {
  const double peak = threads == 1 ? ceilings.peak_one_thread : ceilings.peak_all_threads;
  if (peak <= 0) return 0;
  const double speed = is_narrow ? kNarrowSpeed : 1;
  return flops / (peak * 1e9 * kLeastMultiplications * speed * kCeilingError);
}

std::optional<Failure> impossible_time(const UnitResult& unit, const EngineResult& engine,
                                       const Ceilings& ceilings) {
  if (!unit.time || !unit.flops) return {};
  const double floor_s =
      physical_floor_s(*unit.flops, may_be_narrow(unit), ceilings, engine.threads);
  const double seconds = unit.time->median_ms * 1e-3;
  if (seconds >= floor_s) return {};
  return Failure{
      FailureKind::kWrongResult,
      fmt::format("its time is impossible: {:.3g} ms for {:.3g} MFLOP, which take {:.3g} ms at least",
                  seconds * 1e3, *unit.flops * 1e-6, floor_s * 1e3)};
}

}  // namespace opbench
