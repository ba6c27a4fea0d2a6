#include "presentation/report/together/together_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "machine/facts/cpu_list.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr double kTogetherReportMega = 1e6;

/// A1, A2, … of the first unit, B1, … of the second.
std::string config_key(size_t unit, size_t config) {
  return fmt::format("{}{}", unit == 0 ? 'A' : 'B', config + 1);
}

std::string knobs_text(const KernelChoice& kernel) {
  std::string text = kernel.schedule;
  for (const auto& [knob, value] : kernel.config) text += fmt::format(" {}={}", knob, value);
  return text;
}

std::string together_report_ratio_text(const Ratio& ratio) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", ratio.median, ratio.low, ratio.high);
}

std::string together_report_verdict_text(const std::optional<Verdict>& verdict) {
  return verdict ? std::string(name_of(*verdict)) : "-";
}

std::string name_of_candidate(const TogetherResult& result, size_t index) {
  const TogetherCandidate& candidate = result.candidates[index];
  return candidate.baseline.empty() ? std::string(name_of(candidate.forecast.arrangement))
                                    : candidate.baseline;
}

std::string choice_lines(const TogetherResult& result) {
  const TogetherCandidate& chosen = result.candidates[result.chosen];
  std::string text = fmt::format(
      "choice    {}, {} and {}\n", name_of_candidate(result, result.chosen),
      config_key(0, chosen.forecast.configs[0]), config_key(1, chosen.forecast.configs[1]));
  text += fmt::format("reason    {}\n", result.reason);
  if (const auto& judgement = result.judgement) {
    text += fmt::format(
        "again     {} beside {}: {}, {}\n", name_of_candidate(result, judgement->candidate),
        result.candidates[result.baseline].baseline,
        judgement->ratio ? together_report_ratio_text(*judgement->ratio) : "no ratio",
        judgement->verdict ? std::string(name_of(*judgement->verdict)) : judgement->reason);
  }
  if (!result.kept.empty()) text += fmt::format("kept      {}\n", result.kept);
  return text;
}

}  // namespace

TextTable candidate_table(const TogetherResult& result) {
  TextTable table;
  table.columns = {{.header = "way", .shrinks_to = 16},
                   {.header = "first"},
                   {.header = "second"},
                   {.header = "predicted", .is_right_aligned = true, .unit = "ms"},
                   {.header = "measured", .is_right_aligned = true, .unit = "ms"},
                   {.header = "over sequential",
                    .numbers = {"over sequential", "interval low", "interval high"}},
                   {.header = "verdict"}};
  for (size_t i = 0; i < result.candidates.size(); ++i) {
    const TogetherCandidate& one = result.candidates[i];
    table.rows.push_back(
        {.cells = {name_of_candidate(result, i), config_key(0, one.forecast.configs[0]),
                   config_key(1, one.forecast.configs[1]), ms_text(one.forecast.predicted_ms),
                   one.time ? ms_text(one.time->median_ms) : "-",
                   one.ratio ? together_report_ratio_text(*one.ratio) : "-",
                   together_report_verdict_text(one.verdict)},
         .is_emphasised = i == result.chosen});
  }
  return table;
}

TextTable config_table(const TogetherResult& result) {
  TextTable table;
  table.columns = {{.header = "config"},
                   {.header = "one thread", .is_right_aligned = true, .unit = "ms"},
                   {.header = "two", .is_right_aligned = true, .unit = "ms"},
                   {.header = "resident", .is_right_aligned = true, .unit = "MB, modelled"},
                   {.header = "DRAM", .is_right_aligned = true, .unit = "MB, modelled"},
                   {.header = "pressure", .is_right_aligned = true},
                   {.header = "from"},
                   {.header = "kernel", .shrinks_to = 24}};
  for (size_t unit = 0; unit < result.units.size(); ++unit) {
    const TogetherUnit& one = result.units[unit];
    for (size_t i = 0; i < one.list.size(); ++i) {
      const UnitConfig& config = one.list[i];
      const auto& pressure = i < one.pressures.size() ? one.pressures[i] : std::nullopt;
      table.rows.push_back(
          {.cells = {config_key(unit, i), ms_text(config.one_ms),
                     config.two_ms ? ms_text(*config.two_ms) : "-",
                     fmt::format("{:.3g}", config.resident_bytes / kTogetherReportMega),
                     fmt::format("{:.3g}", config.dram_bytes / kTogetherReportMega),
                     pressure ? fmt::format("{:.2f}", *pressure) : "-", config.kernel.origin,
                     knobs_text(config.kernel)}});
    }
  }
  return table;
}

std::string together_text(const TogetherResult& result, int width, const TextStyle& style) {
  std::string text;
  for (size_t i = 0; i < result.units.size(); ++i) {
    const TogetherUnit& unit = result.units[i];
    text += fmt::format("{:<9} {}; {} configs tried, {} from the log, {} failed\n",
                        i == 0 ? "first, A" : "second, B", workload_text(unit.identity), unit.tried,
                        unit.resumed, unit.failed);
  }
  text += fmt::format("CPUs      {}; {}\n", cpu_list_text(result.cpus), result.target);
  text += fmt::format("slow-down {}\n\n", result.has_pressures
                                              ? "by curves and pressures beside a neighbour"
                                              : "none is forecast");
  text += aligned_text(config_table(result), width, style);
  text += fmt::format("\nof {} combinations, with both baselines\n", result.forecasts);
  text += aligned_text(candidate_table(result), width, style) + "\n" + choice_lines(result);
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace opbench
