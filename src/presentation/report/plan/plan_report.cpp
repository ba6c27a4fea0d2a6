#include "presentation/report/plan/plan_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "machine/facts/cpu_list.h"
#include "measuring/results/measurement_json.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// (S - 1) / (H - 1), where there is something to gain.
std::optional<double> gained_share(const PlanResult& result, size_t candidate) {
  constexpr double kLeastGain = 0.005;
  const double h = result.ceiling.h_by_pieces();
  if (h < 1 + kLeastGain) return {};
  return (result.candidates[candidate].speedup.ratio - 1) / (h - 1);
}

std::string ceiling_line(const PlanResult& result) {
  const Ceiling& ceiling = result.ceiling;
  std::string line = fmt::format(
      "ceiling   {:.3f} × by pieces, {:.3f} × as a whole: all workers always busy {} ms, longest "
      "path {} ms",
      ceiling.h_by_pieces(), ceiling.h(), ms_text(ceiling.area_ms), ms_text(ceiling.path_ms));
  if (result.slowed) {
    line += fmt::format(
        "\nslowed    {:.3f} × by pieces, {:.3f} × as a whole, with slow-downs\n          {}",
        result.slowed->ceiling.h_by_pieces(), result.slowed->ceiling.h(), result.slowed->source);
  }
  if (result.optimum_ms) {
    line += fmt::format("\noptimum   {} ms by exhaustive search, {:.3f} ×",
                        ms_text(*result.optimum_ms), ceiling.sequential_ms / *result.optimum_ms);
  } else {
    line += "\noptimum   not known: " + result.no_optimum_reason;
  }
  return line;
}

std::string measured_text(const PlanCandidate& candidate) {
  return candidate.measured ? fmt::format("{:.3f} ×", candidate.measured->speedup) : "-";
}

std::string plan_verdict_text(const PlanCandidate& candidate) {
  return candidate.measured ? fmt::format("{}", candidate.measured->verdict) : "-";
}

std::string sets_line(const std::vector<KernelChoice>& kernels) {
  std::set<std::string> origins;
  for (const KernelChoice& kernel : kernels) origins.insert(kernel.origin);
  return fmt::format("kernels   {} kind{} of units on 1 thread from `tune --together`: {}",
                     kernels.size(), kernels.size() == 1 ? "" : "s", fmt::join(origins, ", "));
}

}  // namespace

TextTable plan_table(const PlanResult& result) {
  TextTable table;
  table.columns = {
      {.header = "planner"},
      {.header = "predicted", .is_right_aligned = true, .unit = "ms"},
      {.header = "speed-up", .is_right_aligned = true},
      {.header = "interval", .drop_order = 2, .numbers = {"interval low", "interval high"}},
      {.header = "of H - 1", .is_right_aligned = true},
      {.header = "over bound", .is_right_aligned = true, .drop_order = 3},
      {.header = "over optimum", .is_right_aligned = true, .drop_order = 4},
      {.header = "side by side", .is_right_aligned = true, .drop_order = 1},
      {.header = "measured", .is_right_aligned = true, .drop_order = 6},
      {.header = "verdict", .drop_order = 5},
      {.header = "choice"}};
  for (size_t i = 0; i < result.candidates.size(); ++i) {
    const PlanCandidate& one = result.candidates[i];
    const double time = one.timeline.makespan_ms;
    const auto share = gained_share(result, i);
    table.rows.push_back(
        {.cells = {one.plan.planner, ms_text(time), fmt::format("{:.3f} ×", one.speedup.ratio),
                   fmt::format("{:.3f} to {:.3f}", one.speedup.low, one.speedup.high),
                   share ? percent_text(*share) : "-", over_text(time, result.ceiling.pieces_ms),
                   over_text(time, result.optimum_ms.value_or(0)),
                   percent_text(overlap_share(one.plan, one.timeline)), measured_text(one),
                   plan_verdict_text(one), i == result.chosen ? "chosen" : ""},
         .is_emphasised = i == result.chosen});
  }
  return table;
}

std::string plan_text(const PlanResult& result, int width, const TextStyle& style) {
  const PlanFile& file = result.file;
  std::string text =
      fmt::format("model     {} ({}), {} units in {} pieces\n", file.model, file.source,
                  file.timed.size(), pieces_of(file.timed.graph).size());
  text += fmt::format("workers   {} on CPUs {}, {}\n", file.plan.workers, cpu_list_text(file.cpus),
                      file.target);
  text += fmt::format("times     {}; makespans are simulated\n", file.times);
  if (!result.noise.empty()) text += fmt::format("noise     {}\n", result.noise);
  if (!file.transfers.empty()) text += fmt::format("transfers {}\n", file.transfers);
  if (!result.set_kernels.empty()) text += sets_line(result.set_kernels) + "\n";
  text += ceiling_line(result) + "\n\n" + aligned_text(plan_table(result), width, style) + "\n";
  text += file.reason + "\n";
  if (!result.candidates.empty()) {
    const PlanCandidate& chosen = result.candidates[result.chosen];
    const size_t fastest = static_cast<size_t>(
        std::ranges::max_element(result.candidates, {},
                                 [](const auto& one) { return one.speedup.ratio; }) -
        result.candidates.begin());
    text += fmt::format("\n{}, simulated\n", chosen.plan.planner) +
            timeline_text(chosen.plan, chosen.timeline, width);
    if (fastest != result.chosen) {
      const PlanCandidate& other = result.candidates[fastest];
      text += fmt::format("\n{}, simulated, not chosen\n", other.plan.planner) +
              timeline_text(other.plan, other.timeline, width);
    }
  }
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

Json plan_json(const PlanResult& result) {
  Json json = to_json(result.file);
  set_number(json, "optimum_ms", result.optimum_ms, result.no_optimum_reason);
  if (result.slowed) {
    json["ceiling_slowed"] = result.slowed->ceiling.h();
    json["ceiling_slowed_by_pieces"] = result.slowed->ceiling.h_by_pieces();
    json["slow_downs"] = result.slowed->source;
  }
  json["candidates"] = Json::array();
  for (size_t i = 0; i < result.candidates.size(); ++i) {
    const PlanCandidate& one = result.candidates[i];
    Json candidate = {{"planner", one.plan.planner},
                      {"predicted_ms", one.timeline.makespan_ms},
                      {"speedup", one.speedup.ratio},
                      {"low", one.speedup.low},
                      {"high", one.speedup.high}};
    set_number(candidate, "share_of_ceiling", gained_share(result, i),
               "the ceiling leaves nothing to gain");
    candidate["overlap_share"] = overlap_share(one.plan, one.timeline);
    candidate["measured"] = one.measured ? to_json(*one.measured) : Json();
    if (!one.measured) {
      candidate["measured_reason"] =
          one.no_measurement_reason.empty() ? "it was not run" : one.no_measurement_reason;
    }
    candidate["is_chosen"] = i == result.chosen;
    json["candidates"].push_back(std::move(candidate));
  }
  if (!result.noise.empty()) json["noise"] = result.noise;
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench
