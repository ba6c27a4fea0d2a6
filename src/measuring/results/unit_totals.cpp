#include "measuring/results/unit_totals.h"

#include <algorithm>

namespace opbench {
namespace {

constexpr double kKeyShare = 0.9;

}  // namespace

TimeClock clock_of(const EngineResult& engine) {
  if (!engine.emulator.empty()) return TimeClock::kEmulated;
  if (engine.model.end_to_end) return engine.model.end_to_end->clock;
  for (const UnitResult& unit : engine.units) {
    if (unit.time) return unit.time->clock;
  }
  return TimeClock::kWall;
}

bool is_unmeasured(const UnitResult& unit) {
  return unit.failure && unit.failure->kind == FailureKind::kCancelled;
}

bool has_all_totals(const EngineResult& engine) {
  return std::ranges::none_of(engine.units, [](const UnitResult& unit) {
    return is_unmeasured(unit) && !unit.time && !unit.in_place_ms;
  });
}

TimeCaches caches_of(const EngineResult& engine, const std::string& cache) {
  const bool has_in_place = std::ranges::any_of(
      engine.units, [](const UnitResult& unit) { return unit.in_place_ms.has_value(); });
  return {.alone = cache, .total = has_in_place ? "hot" : cache};
}

size_t key_unit_count(const EngineResult& engine) {
  double share = 0;
  for (size_t i = 0; i < engine.units.size(); ++i) {
    share += engine.units[i].share;
    if (share >= kKeyShare) return i + 1;
  }
  return engine.units.size();
}

}  // namespace opbench
