#include "presentation/report/place/place_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/errors/suggestion.h"
#include "machine/facts/cpu_list.h"
#include "presentation/report/place/place_run_tables.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

const std::vector<PlaceDevice>& devices_of(const PlaceResult& result) {
  return result.graph.devices;
}

void add_count_columns(const PlaceResult& result, TextTable& table) {
  for (const PlaceDevice& device : devices_of(result)) {
    table.columns.push_back({.header = device.name, .is_right_aligned = true, .unit = "units"});
  }
}

void add_counts(const PlaceResult& result, const Placement& placement, TextRow& row) {
  for (size_t d = 0; d < devices_of(result).size(); ++d) {
    row.cells.push_back(std::to_string(std::ranges::count(placement, static_cast<int>(d))));
  }
}

const PlaceCandidate* find(const PlaceResult& result, const std::string& method) {
  const auto& all = result.study.candidates;
  const auto found = std::ranges::find(all, method, &PlaceCandidate::method);
  return found == all.end() ? nullptr : &*found;
}

/// The best makespan that was found and what it is called.
const PlaceCandidate& shortest(const PlaceResult& result) {
  if (const PlaceCandidate* optimum = find(result, "optimum"); optimum != nullptr) return *optimum;
  return *std::ranges::min_element(result.study.candidates, {},
                                   [](const PlaceCandidate& one) { return one.point.makespan_ms; });
}

std::string device_lines(const PlaceResult& result) {
  std::string text;
  for (size_t d = 0; d < devices_of(result).size(); ++d) {
    const PlaceDevice& device = devices_of(result)[d];
    const DevicePower& power = result.study.powers[d];
    text += fmt::format(
        "{:<9} {}: {}{}{}; {:.4g} W busy, {:.4g} W idle{}\n", d == 0 ? "devices" : "", device.name,
        device.cpus.empty() ? "a table"
                            : fmt::format("CPUs {}, {}", cpu_list_text(device.cpus), device.target),
        ", times " + device.kind, device.source.empty() ? "" : " (" + device.source + ")",
        power.busy_w, power.idle_w, power.source.empty() ? "" : ", " + power.source);
  }
  return text;
}

bool has_measured(const PlaceResult& result) {
  return std::ranges::any_of(result.study.powers, is_measured);
}

/// Which constants the energies are made of, measured and declared ones apart.
std::string energy_line(const PlaceResult& result) {
  const std::string& name = result.energy.name;
  if (!has_measured(result)) {
    return fmt::format("energy    modelled with {}, nothing is measured\n", name);
  }
  std::vector<std::string> measured;
  for (size_t d = 0; d < devices_of(result).size(); ++d) {
    if (is_measured(result.study.powers[d])) measured.push_back(devices_of(result)[d].name);
  }
  return fmt::format("energy    watts of {} measured; the rest, transfers too, modelled with {}\n",
                     join(measured), name);
}

/// How far equal devices differ, and what disturbed them.
std::string place_control_lines(const PlaceResult& result) {
  const PlaceGraph& graph = result.graph;
  std::string text;
  if (const auto& control = graph.control; control) {
    text += fmt::format(
        "control   {} beside itself: {:.3f} × ({:.3f} to {:.3f}) in {} turn{}, placements gain "
        "{:.1f} % by chance: within {:.1f} % speed-ups say nothing\n",
        control->device, control->ratio, control->low, control->high, control->rounds,
        control->rounds == 1 ? "" : "s", 100 * result.study.floor.chance_gain,
        100 * result.study.floor.floor);
  }
  if (!graph.noise.empty()) text += fmt::format("noise     {}\n", graph.noise);
  if (!graph.disturbance.empty()) {
    text += fmt::format("          {}: no speed-up is conclusive\n", graph.disturbance);
  }
  return text;
}

std::string limit_line(const PlaceResult& result) {
  const PlaceStudy& study = result.study;
  const std::string limit =
      fmt::format("within {} ms ({})", ms_text(study.limit_ms),
                  study.is_limit_given ? "as asked for" : "the fastest device alone");
  if (!study.is_limit_met) {
    return fmt::format("least energy {}: no placement is so short, the shortest takes {} ms\n",
                       limit, ms_text(study.front.front.points().front().makespan_ms));
  }
  const FrontPoint& frugal = study.candidates.back().point;
  return fmt::format("least energy {}: {:.3f} mJ in {} ms, modelled with {}{}; {}\n", limit,
                     frugal.energy_mj, ms_text(frugal.makespan_ms), result.energy.name,
                     has_measured(result) ? " and measured watts" : "",
                     study.is_frugal_optimal
                         ? "no placement needs less"
                         : fmt::format("none needs less than {:.3f} mJ ({})", study.energy_bound_mj,
                                       over_text(frugal.energy_mj, study.energy_bound_mj)));
}

std::string flips_line(const PlaceResult& result) {
  const auto flipped = std::ranges::count_if(
      result.study.flips, [](const EnergyFlip& flip) { return flip.moved_units > 0; });
  return fmt::format("The decision changes in {} of {} cases:\n", flipped,
                     result.study.flips.size());
}

/// Rows of a table that a person can take in; the others are in the JSON report.
constexpr size_t kShownPoints = 12;
constexpr size_t kShownUnits = 24;

/// The numbers of at most `most` of `count` rows, evenly spaced, the first and the last among them.
std::vector<size_t> spread_rows(size_t count, size_t most) {
  std::vector<size_t> rows;
  for (size_t i = 0; i < std::min(count, most); ++i) {
    rows.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  }
  return rows;
}

/// The numbers of the units that take longest where the placement runs them, in their order.
std::vector<size_t> longest_units(const PlaceResult& result, const Placement& placement) {
  const auto time = [&](size_t i) {
    return result.graph.times_ms[i][static_cast<size_t>(placement[i])];
  };
  std::vector<size_t> rows(result.graph.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::ranges::stable_sort(rows, [&](size_t a, size_t b) { return time(a) > time(b); });
  rows.resize(std::min(rows.size(), kShownUnits));
  std::ranges::sort(rows);
  return rows;
}

/// These rows of the table, and below them how many there are.
std::string shown_rows(const TextTable& table, const std::vector<size_t>& rows, const char* what,
                       int width, const TextStyle& style) {
  TextTable shown{.columns = table.columns};
  for (const size_t row : rows) shown.rows.push_back(table.rows[row]);
  std::string text = aligned_text(shown, width, style);
  if (rows.size() == table.rows.size()) return text;
  return text +
         style.dim(fmt::format("({} of {} {}; --format json has all)", rows.size(),
                               table.rows.size(), what)) +
         "\n";
}

}  // namespace

TextTable place_table(const PlaceResult& result) {
  const PlaceStudy& study = result.study;
  TextTable table;
  table.columns = {
      {.header = "method"},
      {.header = "makespan", .is_right_aligned = true, .unit = "ms"},
      {.header = "energy", .is_right_aligned = true, .unit = "mJ, modelled"},
      {.header = study.optimum_ms ? "over optimum" : "over bound", .is_right_aligned = true},
      {.header = "speed-up", .is_right_aligned = true},
      {.header = "interval", .drop_order = 1, .numbers = {"interval low", "interval high"}},
      {.header = "verdict"}};
  add_count_columns(result, table);
  const double best = study.optimum_ms.value_or(study.bound_ms);
  for (const PlaceCandidate& one : study.candidates) {
    TextRow row{.cells = {one.method, ms_text(one.point.makespan_ms),
                          fmt::format("{:.3f}", one.point.energy_mj),
                          over_text(one.point.makespan_ms, best),
                          fmt::format("{:.3f} ×", one.speedup),
                          fmt::format("{:.3f} to {:.3f}", one.low, one.high), one.verdict}};
    add_counts(result, one.point.placement, row);
    row.is_emphasised = &one == &shortest(result);
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable place_unit_table(const PlaceResult& result) {
  TextTable table;
  table.columns = {{.header = "unit", .is_right_aligned = true}, {.header = "operators"}};
  for (const PlaceDevice& device : devices_of(result)) {
    table.columns.push_back({.header = device.name, .is_right_aligned = true, .unit = "ms"});
  }
  const PlaceCandidate& best = shortest(result);
  const PlaceCandidate* told = find(result, kAtLeast);
  const PlaceCandidate* frugal = find(result, "frugal");
  table.columns.push_back({.header = best.method});
  if (told != nullptr) table.columns.push_back({.header = told->method});
  if (frugal != nullptr) table.columns.push_back({.header = "frugal"});
  for (size_t i = 0; i < result.graph.size(); ++i) {
    TextRow row{.cells = {std::to_string(i), result.graph.graph.units[i].kind}};
    for (const double time : result.graph.times_ms[i]) row.cells.push_back(ms_text(time));
    for (const PlaceCandidate* one : {&best, told, frugal}) {
      if (one == nullptr) continue;
      row.cells.push_back(devices_of(result)[static_cast<size_t>(one->point.placement[i])].name);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable front_table(const PlaceResult& result) {
  TextTable table;
  table.columns = {{.header = "makespan", .is_right_aligned = true, .unit = "ms"},
                   {.header = "energy", .is_right_aligned = true, .unit = "mJ, modelled"}};
  add_count_columns(result, table);
  for (const FrontPoint& point : result.study.front.front.points()) {
    TextRow row{.cells = {ms_text(point.makespan_ms), fmt::format("{:.3f}", point.energy_mj)}};
    add_counts(result, point.placement, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable flip_table(const PlaceResult& result) {
  TextTable table;
  table.columns = {{.header = "constant"},
                   {.header = "times", .is_right_aligned = true},
                   {.header = "decision"},
                   {.header = "units moved", .is_right_aligned = true},
                   {.header = "energy saved", .is_right_aligned = true}};
  for (const EnergyFlip& flip : result.study.flips) {
    const std::string decision = !flip.is_possible      ? "not possible"
                                 : flip.moved_units > 0 ? "changes"
                                                        : "stands";
    const double saved = flip.kept_mj > 0 ? 1 - flip.new_mj / flip.kept_mj : 0;
    table.rows.push_back({.cells = {flip.constant, fmt::format("{:g}", flip.factor), decision,
                                    flip.is_possible ? std::to_string(flip.moved_units) : "-",
                                    flip.is_possible ? percent_text(saved) : "-"}});
  }
  return table;
}

std::string place_text(const PlaceResult& result, int width, const TextStyle& style) {
  const PlaceStudy& study = result.study;
  std::string text =
      fmt::format("model     {}, {} units\n", result.graph.model, result.graph.size());
  text += device_lines(result);
  text += fmt::format("transfer  modelled: {}\n", result.graph.transfer.source);
  text += place_control_lines(result) + energy_line(result);
  text += fmt::format("bound     {} ms: no placement is shorter\n", ms_text(study.bound_ms));
  text += study.optimum_ms ? fmt::format("optimum   {} ms, by an exact search over states\n\n",
                                         ms_text(*study.optimum_ms))
                           : fmt::format("optimum   not known: {}\n\n", study.no_optimum_reason);
  text += aligned_text(place_table(result), width, style);
  text += place_runs_text(result, width, style);
  text += "\n" + limit_line(result);
  const TextTable front = front_table(result);
  text +=
      "\nShort and frugal placements\n" +
      shown_rows(front, spread_rows(front.rows.size(), kShownPoints), "placements", width, style);
  if (study.is_limit_met) {
    text += "\nThe least energy, with a constant of the model changed by half. " +
            flips_line(result) + aligned_text(flip_table(result), width, style);
  }
  text += "\nWho runs what\n" + shown_rows(place_unit_table(result),
                                           longest_units(result, shortest(result).point.placement),
                                           "units, the longest", width, style);
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace opbench
