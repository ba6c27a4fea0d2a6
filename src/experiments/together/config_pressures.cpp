#include "experiments/together/config_pressures.h"

#include <algorithm>

#include "experiments/interference/interference_session.h"
#include "experiments/interference/judge_coruns.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/together/set_unit.h"

namespace opbench {
namespace {

InterferenceRequest interference_request(const std::array<KernelSpec, 2>& units,
                                         const std::array<std::vector<UnitConfig>, 2>& lists,
                                         const RunRequest& run, double budget_s) {
  InterferenceRequest request{.run = run, .subjects = {}, .units = 1, .has_pairs = false};
  request.run.measure.budget_s = budget_s;
  request.run.measure.check_engine = "none";  // every config was checked in its trial
  constexpr double kPrecision = 0.05;
  request.run.measure.precision = kPrecision;
  for (size_t unit = 0; unit < units.size(); ++unit) {
    for (const UnitConfig& config : lists[unit]) {
      request.subjects.push_back({.workload = text_of(units[unit].workload),
                                  .layouts = layouts_of_set({units[unit]}),
                                  .kernels = {config.kernel}});
    }
  }
  return request;
}

}  // namespace

bool ConfigPressures::is_empty() const {
  return std::ranges::none_of(known, [](const auto& configs) {
    return std::ranges::any_of(configs, [](const auto& one) { return one.has_value(); });
  });
}

std::array<double, 2> ConfigPressures::slowdowns(size_t first, size_t second) const {
  const auto& a = known[0].at(first);
  const auto& b = known[1].at(second);
  if (!a || !b) return {1, 1};
  return {forecast(*a, *b, peak_bytes_per_s).curve, forecast(*b, *a, peak_bytes_per_s).curve};
}

Result<ConfigPressures> measure_pressures(const std::array<KernelSpec, 2>& units,
                                          const std::array<std::vector<UnitConfig>, 2>& lists,
                                          const RunRequest& run, double budget_s) {
  ConfigPressures pressures;
  for (size_t unit = 0; unit < units.size(); ++unit)
    pressures.known[unit].resize(lists[unit].size());
  const auto measured = run_interference(interference_request(units, lists, run, budget_s));
  if (!measured && measured.error().code == ErrorCode::kInterrupted) return measured.error();
  if (!measured || measured->units.size() != lists[0].size() + lists[1].size()) {
    pressures.warnings.push_back("no slow-down is forecast: " +
                                 (measured ? "a config could not be measured beside a neighbour"
                                           : measured.error().message));
    return pressures;
  }
  constexpr double kBytes = 1e9;
  pressures.peak_bytes_per_s = measured->peak_gbytes_per_s * kBytes;
  size_t at = 0;
  for (auto& configs : pressures.known) {
    for (auto& one : configs) one = pressure_of_unit(at++, *measured);
  }
  return pressures;
}

}  // namespace opbench
