#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "machine/facts/cpu_list.h"
#include "presentation/report/interference/interference_report.h"
#include "presentation/report/text/fact_lines.h"
#include "presentation/report/text/machine_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// `24 rounds kept, 3 dropped`
std::string rounds_text(int64_t kept, int64_t dropped) {
  return fmt::format("{} round{} kept, {} dropped", kept, kept == 1 ? "" : "s", dropped);
}

std::string control_text(const InterferenceResult& result) {
  const MeasuredCorun& control = result.control;
  if (!control.slowdowns[0] || !control.slowdowns[1]) return "not measured: " + control.reason;
  const auto side = [](const Slowdown& one) {
    return fmt::format("{:.3f} ({:.3f} to {:.3f})", one.ratio, one.interval.low, one.interval.high);
  };
  return fmt::format("two loops in registers side by side: {} and {}, {}",
                     side(*control.slowdowns[0]), side(*control.slowdowns[1]),
                     rounds_text(control.kept, control.dropped_rounds()));
}

Facts facts_of(const InterferenceResult& result) {
  Facts facts;
  for (const std::string& line : machine_lines(result.environment)) {
    facts.emplace_back("machine", line);
  }
  std::string models;
  for (const std::string& model : result.models) models += (models.empty() ? "" : ", ") + model;
  facts.emplace_back("models", models);
  facts.emplace_back(
      "CPUs", fmt::format("{}, one thread each, {}",
                          cpu_list_text({result.cpus.begin(), result.cpus.end()}), result.target));
  facts.emplace_back("control", control_text(result));
  facts.emplace_back(
      "measured",
      fmt::format("{}, {} disturbed turns left out; {} pass{} in {:.1f} s, order by "
                  "seed {}",
                  rounds_text(result.kept, result.dropped), result.disturbed_turns, result.passes,
                  result.passes == 1 ? "" : "es", result.spent_s, result.seed));
  return facts;
}

std::string not_measured_line(const InterferenceResult& result) {
  int64_t count = 0;
  std::string first;
  const auto see = [&](const MeasuredCorun& one) {
    if (one.reason.empty()) return;
    if (count++ == 0) first = one.reason;
  };
  for (const InterferencePair& pair : result.pairs) see(pair.corun);
  for (const auto& row : result.beside) {
    for (const MeasuredCorun& one : row) see(one);
  }
  if (count == 0) return "";
  return fmt::format("{} co-run{} without a slow-down; the first: {}\n", count,
                     count == 1 ? "" : "s", first);
}

std::string avoid_title(const InterferenceResult& result) {
  return fmt::format("pairs to avoid: one of the two is slowed above {:.2f}", result.threshold);
}

/// Where no pair is above the threshold: as far as pairs were measured.
std::string no_pair_line(const InterferenceResult& result) {
  const auto measured = std::ranges::count_if(
      result.pairs, [](const InterferencePair& pair) { return pair.corun.reason.empty(); });
  const auto all = std::ssize(result.pairs);
  if (measured == 0) return fmt::format("not known: none of {} pairs was measured\n", all);
  if (measured < all) return fmt::format("none of the {} of {} pairs measured\n", measured, all);
  return fmt::format("none of {} pairs\n", all);
}

std::string noise_line(const InterferenceResult& result) {
  return fmt::format(
      "noise floor {}: mean half interval of the slow-downs; {} of {} lie on neither side of "
      "{:.2f} for sure",
      percent_text(result.noise_floor), result.undecided, result.judged, result.threshold);
}

}  // namespace

std::string interference_text(const InterferenceResult& result, int width, const TextStyle& style) {
  std::string text = facts_text(facts_of(result), style) + "\n";
  text += aligned_text(unit_table(result), width, style) + "\n";
  const HeatMap map = interference_map(result);
  text += style.bold(map.title) + "\n" + aligned_text(heat_table(map), width, style);
  text += heat_legend() + "\n" + not_measured_line(result);
  if (result.has_pairs) {
    const TextTable avoid = avoid_table(result);
    text += "\n" + style.bold(avoid_title(result)) + "\n";
    text += avoid.rows.empty() ? no_pair_line(result) : aligned_text(avoid, width, style);
  }
  if (!result.errors.empty()) {
    text += "\n" + style.bold("forecasts from the units' curves and pressures, beside the pairs") +
            "\n" + aligned_text(forecast_table(result), width, style) + noise_line(result) + "\n";
  }
  for (const std::string& failure : result.failures) text += "failed: " + failure + "\n";
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

std::string interference_markdown(const InterferenceResult& result) {
  std::string text = facts_markdown(facts_of(result)) + "\n" + markdown_text(unit_table(result));
  const HeatMap map = interference_map(result);
  text += "\n" + map.title + ":\n\n" + markdown_text(heat_table(map)) + "\n" + heat_legend() +
          "\n" + not_measured_line(result);
  if (result.has_pairs) {
    const TextTable avoid = avoid_table(result);
    text += "\n" + avoid_title(result) + ":\n\n";
    text += avoid.rows.empty() ? no_pair_line(result) : markdown_text(avoid);
  }
  if (!result.errors.empty()) {
    text += "\n" + markdown_text(forecast_table(result)) + "\n" + noise_line(result) + "\n";
  }
  for (const std::string& failure : result.failures) text += "\n- failed: " + failure + "\n";
  for (const std::string& warning : result.warnings) text += "\n- warning: " + warning + "\n";
  return text;
}

}  // namespace opbench
