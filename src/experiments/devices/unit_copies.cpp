#include "experiments/devices/unit_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

/// Sums of a weighted fit of ms = fixed + bytes × pace, weights 1 / ms².
struct Sums {
  double ones = 0, bytes = 0, squares = 0, ms = 0, products = 0;
};

Sums sums_of(const std::vector<CopyTime>& copies) {
  Sums sums;
  for (const CopyTime& copy : copies) {
    if (copy.ms <= 0) continue;
    const double weight = 1 / (copy.ms * copy.ms);
    const auto bytes = static_cast<double>(copy.bytes);
    sums.ones += weight;
    sums.bytes += weight * bytes;
    sums.squares += weight * bytes * bytes;
    sums.ms += weight * copy.ms;
    sums.products += weight * bytes * copy.ms;
  }
  return sums;
}

}  // namespace

std::vector<CopyTime> copies_of(const Program& program, const std::vector<TimeWithError>& steps) {
  std::vector<CopyTime> copies;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    if (step.copy == StepCopy::kNone) continue;
    const Slot& slot = program.slots[static_cast<size_t>(step.results.front())];
    copies.push_back({.value = slot.name,
                      .is_to_device = step.copy == StepCopy::kToDevice,
                      .bytes = slot.bytes,
                      .ms = i < steps.size() ? steps[i].ms : 0});
  }
  return copies;
}

TransferCost cost_of_copies(const std::vector<CopyTime>& copies) {
  constexpr double kSameSize = 1e-9;
  TransferCost cost;
  if (copies.empty()) {
    cost.source = "free: the model was not copied";
    return cost;
  }
  const Sums sums = sums_of(copies);
  const double spread = sums.ones * sums.squares - sums.bytes * sums.bytes;
  const bool has_sizes = spread > kSameSize * sums.ones * sums.squares;
  if (has_sizes) {
    cost.ms_per_byte = (sums.ones * sums.products - sums.bytes * sums.ms) / spread;
    cost.latency_ms = (sums.ms - cost.ms_per_byte * sums.bytes) / sums.ones;
  }
  const bool is_line = has_sizes && cost.ms_per_byte >= 0 && cost.latency_ms >= 0;
  if (!is_line && cost.ms_per_byte < 0) {
    cost.ms_per_byte = 0;
    cost.latency_ms = sums.ones > 0 ? sums.ms / sums.ones : 0;
  } else if (!is_line) {
    cost.latency_ms = 0;
    cost.ms_per_byte = sums.squares > 0 ? sums.products / sums.squares : 0;
  }
  const auto [least, most] = std::ranges::minmax(copies, {}, &CopyTime::bytes);
  cost.source = fmt::format("{} copies of the model timed, {} bytes in {:.3g} ms to {} in {:.3g}",
                            copies.size(), least.bytes, least.ms, most.bytes, most.ms);
  return cost;
}

StepCosts step_costs_of(const Program& program, const std::vector<UnitIdentity>& facts,
                        const std::vector<TimeWithError>& steps) {
  std::vector<CopyTime> to_device, to_host, layouts, crossings;
  std::map<std::string, double> layout_ms;  // by value
  for (size_t i = 0; i < program.steps.size(); ++i) {
    if (!facts[i].is_layout_change()) continue;
    const Slot& slot = program.slots[static_cast<size_t>(program.steps[i].results.front())];
    layouts.push_back({.value = slot.name, .bytes = slot.bytes, .ms = steps[i].ms});
    layout_ms[slot.name] += steps[i].ms;
  }
  for (CopyTime& copy : copies_of(program, steps)) {
    (copy.is_to_device ? to_device : to_host).push_back(copy);
    copy.ms += layout_ms[copy.value];
    crossings.push_back(std::move(copy));
  }
  return {.to_device = cost_of_copies(to_device),
          .to_host = cost_of_copies(to_host),
          .layout = cost_of_copies(layouts),
          .crossing = cost_of_copies(crossings),
          .copies = copies_of(program, steps)};
}

double copy_ms(const TransferCost& cost, int64_t bytes) {
  return cost.latency_ms + static_cast<double>(bytes) * cost.ms_per_byte;
}

double copy_ms(const StepCosts& costs, bool is_to_device, int64_t bytes) {
  std::map<int64_t, std::vector<double>> by_bytes;
  for (const CopyTime& copy : costs.copies) {
    if (copy.is_to_device == is_to_device && copy.ms > 0) by_bytes[copy.bytes].push_back(copy.ms);
  }
  const auto above = by_bytes.lower_bound(bytes);
  if (above != by_bytes.end() && above->first == bytes) return median(above->second);
  if (above == by_bytes.begin() || above == by_bytes.end()) {
    return copy_ms(is_to_device ? costs.to_device : costs.to_host, bytes);
  }
  const auto below = std::prev(above);
  const double part =
      static_cast<double>(bytes - below->first) / static_cast<double>(above->first - below->first);
  return std::lerp(median(below->second), median(above->second), part);
}

}  // namespace opbench
