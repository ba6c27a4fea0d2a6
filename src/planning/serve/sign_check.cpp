#include "planning/serve/sign_check.h"

#include <algorithm>
#include <optional>

namespace opbench {
namespace {

std::optional<size_t> place_of(const std::vector<PolicyResult>& results, const std::string& name) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].name() == name) return i;
  }
  return std::nullopt;
}

/// The largest difference that the control shows of equal policies.
double floor_of(const std::optional<ServingControl>& control) {
  if (!control) return 0;
  const Interval& interval = control->violations.interval;
  return std::max({0.0, -interval.low, interval.high});
}

SignVerdict verdict_of(const SeedMean& simulated, const SeedMean& measured, double floor) {
  const bool is_beyond =
      measured.has_interval && (measured.interval.low > floor || measured.interval.high < -floor);
  if (!is_beyond) return SignVerdict::kOpen;
  return (measured.value < 0) == (simulated.value < 0) ? SignVerdict::kConfirmed
                                                       : SignVerdict::kContradicted;
}

}  // namespace

const char* name_of(SignVerdict verdict) {
  switch (verdict) {
    case SignVerdict::kConfirmed:
      return "confirmed";
    case SignVerdict::kContradicted:
      return "contradicted";
    case SignVerdict::kOpen:
      break;
  }
  return "open";
}

std::vector<SignCheck> check_signs(const ServingStudy& simulated, const ServingStudy& measured) {
  std::vector<SignCheck> checks;
  for (size_t i = 0; i < std::min(simulated.loads.size(), measured.loads.size()); ++i) {
    const LoadResult& load = simulated.loads[i];
    if (!load.comparison) continue;
    const PairedComparison& pair = *load.comparison;
    SignCheck check{.load = load.load,
                    .first = load.results[pair.first].name(),
                    .second = load.results[pair.second].name(),
                    .simulated = pair.violations,
                    .measured = {}};
    const auto& results = measured.loads[i].results;
    const auto first = place_of(results, check.first), second = place_of(results, check.second);
    if (!first || !second) continue;
    check.measured = compare_paired(results, *first, *second).violations;
    check.verdict =
        verdict_of(check.simulated, check.measured, floor_of(measured.loads[i].control));
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace opbench
