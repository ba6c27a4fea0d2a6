#include "presentation/report/partition/partition_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <map>

#include "measuring/results/measurement_json.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kPartitionSchema = "opbench.partition/1";

std::string part_ms(const PartTimes& times, int parts) {
  return parts == 0 ? "-" : ms_text(times.times_ms[static_cast<size_t>(parts - 1)]);
}

std::string split_text(const PartitionGrid& grid, int first_parts) {
  return fmt::format("{} + {}", first_parts, grid.parts - first_parts);
}

std::string summary_lines(const PartitionResult& result) {
  const PartitionGrid& grid = result.grid;
  const PartitionStudy& study = result.study;
  const double best = study.best.time_ms;
  std::string text = fmt::format(
      "best      {} parts, {} ms: {:.3f} × the faster device alone ({:.3f} to {:.3f}), {}\n",
      split_text(grid, study.best.first_parts), ms_text(best), study.speedup.ratio,
      study.speedup.low, study.speedup.high, study.verdict);
  text += fmt::format("even      {} parts, {} ms, {} over the best\n",
                      split_text(grid, study.even.first_parts), ms_text(study.even.time_ms),
                      over_text(study.even.time_ms, best));
  const auto at = static_cast<size_t>(study.probed.first_parts);
  text += fmt::format(
      "probed    {} parts from {} of {} times, {} ms predicted, {} ms by the grid, {} over the "
      "best\n",
      split_text(grid, study.probed.first_parts), study.probes, 2 * grid.parts,
      ms_text(study.probed.time_ms), ms_text(study.grid[at].time_ms),
      over_text(study.grid[at].time_ms, best));
  text += fmt::format("guided    {} ms, {} over the best: self-scheduling, simulated\n",
                      ms_text(study.guided_ms), over_text(study.guided_ms, best));
  return text;
}

/// How far equal devices differ, and these two.
std::string partition_control_lines(const PartitionResult& result) {
  const PartitionGrid& grid = result.grid;
  const PartitionStudy& study = result.study;
  std::string text;
  if (const auto& control = grid.control; control) {
    text += fmt::format(
        "control   {} beside itself: {:.3f} × ({:.3f} to {:.3f}); within {:.1f} % ratios say "
        "nothing\n",
        grid.first.device, control->ratio, control->low, control->high, 100 * study.floor);
  }
  if (!grid.noise.empty()) text += fmt::format("noise     {}\n", grid.noise);
  return text + fmt::format("alone     {} takes {:.3f} × the time of {} ({:.3f} to {:.3f}), {}\n",
                            grid.second.device, study.second.ratio, grid.first.device,
                            study.second.low, study.second.high, study.second_verdict);
}

std::string balance_line(const PartitionResult& result) {
  const PartitionStudy& study = result.study;
  const std::string change =
      fmt::format("simulated from the measured times: {} takes {:g} × as long from round {} on",
                  result.grid.second.device, study.slow_factor, study.slow_round + 1);
  if (!study.adapted_after) return change + "; the balancer did not adapt";
  return fmt::format("{}; within 3 % of the best after {} round{}", change, *study.adapted_after,
                     *study.adapted_after == 1 ? "" : "s");
}

std::string name_of_schedule(const std::string& schedule) {
  return schedule.empty() ? "no schedule, the reference" : schedule;
}

/// The schedule of the whole operator, then those that parts of it have instead.
std::string schedules_text(const PartTimes& times) {
  const std::string& whole = times.schedules.back();
  std::map<std::string, std::vector<size_t>> others;
  for (size_t i = 0; i + 1 < times.schedules.size(); ++i) {
    if (times.schedules[i] != whole) others[times.schedules[i]].push_back(i + 1);
  }
  std::string text = name_of_schedule(whole);
  for (const auto& [schedule, sizes] : others) {
    text += fmt::format("; {} for {} part{}", name_of_schedule(schedule), fmt::join(sizes, ", "),
                        sizes == std::vector<size_t>{1} ? "" : "s");
  }
  return text;
}

Json times_json(const PartTimes& times) {
  return {{"name", times.device},
          {"target", times.target},
          {"schedule", times.schedules.back()},
          {"schedules", times.schedules},
          {"kind", "measured"},
          {"times_ms", times.times_ms},
          {"half_widths_ms", times.errors_ms}};
}

Json partition_ratio_json(const TimeRatio& ratio) {
  return {{"ratio", ratio.ratio}, {"low", ratio.low}, {"high", ratio.high}};
}

Json choice_json(const SplitChoice& choice) {
  return {{"first_parts", choice.first_parts}, {"time_ms", choice.time_ms}};
}

Json balancer_json(const PartitionStudy& study) {
  Json json = {
      {"kind", "simulated"}, {"slow_factor", study.slow_factor}, {"slow_round", study.slow_round}};
  std::optional<double> adapted;
  if (study.adapted_after) adapted = *study.adapted_after;
  set_number(json, "adapted_after_rounds", adapted, "no round came within 3 % of the best");
  json["rounds"] = Json::array();
  for (const BalancedRound& round : study.rounds) {
    json["rounds"].push_back({{"first_parts", round.first_parts},
                              {"time_ms", round.time_ms},
                              {"best_ms", round.best_ms}});
  }
  return json;
}

}  // namespace

TextTable split_table(const PartitionResult& result) {
  const PartitionGrid& grid = result.grid;
  TextTable table;
  table.columns = {{.header = "parts", .numbers = {"first parts", "second parts"}},
                   {.header = "channels", .numbers = {"first channels", "second channels"}},
                   {.header = grid.first.device, .is_right_aligned = true, .unit = "ms"},
                   {.header = grid.second.device, .is_right_aligned = true, .unit = "ms"},
                   {.header = "both", .is_right_aligned = true, .unit = "ms"},
                   {.header = "over best", .is_right_aligned = true}};
  for (const SplitChoice& choice : result.study.grid) {
    const int64_t channels = std::min(choice.first_parts * grid.part_channels, grid.channels);
    table.rows.push_back(
        {.cells = {split_text(grid, choice.first_parts),
                   fmt::format("{} + {}", channels, grid.channels - channels),
                   part_ms(grid.first, choice.first_parts),
                   part_ms(grid.second, grid.parts - choice.first_parts), ms_text(choice.time_ms),
                   over_text(choice.time_ms, result.study.best.time_ms)},
         .is_emphasised = choice.first_parts == result.study.best.first_parts});
  }
  return table;
}

TextTable balance_table(const PartitionResult& result) {
  TextTable table;
  table.columns = {{.header = "round", .is_right_aligned = true},
                   {.header = "parts"},
                   {.header = "time", .is_right_aligned = true, .unit = "ms, simulated"},
                   {.header = "over best", .is_right_aligned = true}};
  for (size_t i = 0; i < result.study.rounds.size(); ++i) {
    const BalancedRound& round = result.study.rounds[i];
    table.rows.push_back(
        {.cells = {std::to_string(i + 1), split_text(result.grid, round.first_parts),
                   ms_text(round.time_ms), over_text(round.time_ms, round.best_ms)}});
  }
  return table;
}

std::string partition_text(const PartitionResult& result, int width, const TextStyle& style) {
  const PartitionGrid& grid = result.grid;
  std::string text = fmt::format("workload  {}\n", grid.workload);
  text += fmt::format("parts     {} of {} output channels, {} in all\n", grid.parts,
                      grid.part_channels, grid.channels);
  for (const PartTimes* one : {&grid.first, &grid.second}) {
    text += fmt::format("{:<9} {}: {}; {}; times measured alone, in turns\n",
                        one == &grid.first ? "devices" : "", one->device, one->target,
                        schedules_text(*one));
  }
  text += partition_control_lines(result);
  text += fmt::format("join      {} ms, modelled: {}\n\n", ms_text(grid.join_ms), grid.join_source);
  text += aligned_text(split_table(result), width, style) + "\n" + summary_lines(result);
  text += "\n" + balance_line(result) + "\n" + aligned_text(balance_table(result), width, style);
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

Json partition_json(const PartitionResult& result) {
  const PartitionGrid& grid = result.grid;
  const PartitionStudy& study = result.study;
  Json json = {{"schema", kPartitionSchema},
               {"workload", grid.workload},
               {"channels", grid.channels},
               {"part_channels", grid.part_channels},
               {"parts", grid.parts}};
  json["devices"] = {times_json(grid.first), times_json(grid.second)};
  json["join"] = {{"kind", "modelled"}, {"ms", grid.join_ms}, {"source", grid.join_source}};
  json["grid"] = Json::array();
  for (const SplitChoice& choice : study.grid) json["grid"].push_back(choice_json(choice));
  json["best"] = choice_json(study.best);
  json["alone_ms"] = study.alone_ms;
  json["speedup"] = partition_ratio_json(study.speedup);
  json["speedup"]["verdict"] = study.verdict;
  json["second_over_first"] = partition_ratio_json(study.second);
  json["second_over_first"]["verdict"] = study.second_verdict;
  json["control"] = grid.control ? partition_ratio_json(*grid.control) : Json();
  if (!grid.control) json["control_reason"] = "it was not timed";
  json["floor"] = study.floor;
  json["noise"] = grid.noise;
  json["even"] = choice_json(study.even);
  const auto at = static_cast<size_t>(study.probed.first_parts);
  json["probed"] = {{"first_parts", study.probed.first_parts},
                    {"predicted_ms", study.probed.time_ms},
                    {"time_ms", study.grid[at].time_ms},
                    {"over_best", study.grid[at].time_ms / study.best.time_ms - 1},
                    {"probes", study.probes}};
  json["guided"] = {{"kind", "simulated"}, {"time_ms", study.guided_ms}};
  json["balancer"] = balancer_json(study);
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench
