#include "experiments/unit_times/unit_slowdowns.h"

#include <algorithm>

#include "prediction/interference/interference_file.h"

namespace opbench {
namespace {

constexpr const char* kHowToMakeSlowdowns = "opbench interference MODEL --format json -o FILE";

double median_of(const std::map<std::pair<std::string, std::string>, double>& ratios) {
  std::vector<double> values;
  for (const auto& [pair, ratio] : ratios) values.push_back(ratio);
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// A number for each workload that has ratios.
std::map<std::string, size_t> rows_of(const UnitSlowdowns& slowdowns) {
  std::map<std::string, size_t> rows;
  for (const auto& [pair, ratio] : slowdowns.ratios) rows.try_emplace(pair.first, rows.size());
  return rows;
}

}  // namespace

Result<UnitSlowdowns> parse_unit_slowdowns(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const InterferenceFile file, parse_interference(text, what, kHowToMakeSlowdowns));
  std::map<std::string, std::string> workloads;  // by key
  for (const FileUnit& unit : file.units) workloads[unit.key] = unit.workload;
  UnitSlowdowns slowdowns{.target = file.target};
  for (const auto& [one, other] : file.pairs) {
    const auto first = workloads.find(one.unit), second = workloads.find(other.unit);
    if (first == workloads.end() || second == workloads.end()) continue;
    const auto add = [&](const FileSide& side, const auto& unit, const auto& beside) {
      const bool is_measured = side.measured.ratio.value_or(0) > 0;
      const double ratio = is_measured ? *side.measured.ratio : side.forecast;
      if (ratio <= 0) return;
      const auto [place, is_new] =
          slowdowns.ratios.try_emplace({unit->second, beside->second}, std::max(1.0, ratio));
      if (is_new && is_measured) ++slowdowns.measured;
      // Both sides of a unit beside itself are that unit: the worse one counts.
      place->second = std::max(place->second, ratio);
    };
    add(one, first, second);
    add(other, second, first);
  }
  if (slowdowns.ratios.empty()) {
    return unusable_interference(what, "has no slow-down of any pair", kHowToMakeSlowdowns);
  }
  slowdowns.typical = median_of(slowdowns.ratios);
  return slowdowns;
}

PairSlowdown slowdown_between(const UnitSlowdowns& slowdowns,
                              const std::vector<std::string>& workloads) {
  // Rows of numbers: planners ask for all pairs of thousands of units.
  const std::map<std::string, size_t> rows = rows_of(slowdowns);
  const size_t others = rows.size();  // the row of what the ratios do not name
  std::vector<size_t> row_of_unit;
  for (const std::string& workload : workloads) {
    const auto row = rows.find(workload);
    row_of_unit.push_back(row == rows.end() ? others : row->second);
  }
  std::vector<double> ratios((others + 1) * (others + 1), slowdowns.typical);
  for (const auto& [pair, ratio] : slowdowns.ratios) {
    const auto beside = rows.find(pair.second);
    if (beside == rows.end()) continue;
    ratios[rows.at(pair.first) * (others + 1) + beside->second] = ratio;
  }
  return [ratios = std::move(ratios), row_of_unit = std::move(row_of_unit), width = others + 1](
             int unit, int beside) {
    return ratios[row_of_unit[static_cast<size_t>(unit)] * width +
                  row_of_unit[static_cast<size_t>(beside)]];
  };
}

size_t known_units(const UnitSlowdowns& slowdowns, const std::vector<std::string>& workloads) {
  const std::map<std::string, size_t> rows = rows_of(slowdowns);
  const auto known = std::ranges::count_if(
      workloads, [&](const std::string& workload) { return rows.contains(workload); });
  return static_cast<size_t>(known);
}

}  // namespace opbench
