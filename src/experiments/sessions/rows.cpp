#include "experiments/sessions/rows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/system/seconds.h"
#include "experiments/sessions/check/cold_check.h"
#include "experiments/sessions/run_code.h"
#include "machine/facts/cpu_list.h"
#include "machine/facts/topology.h"
#include "model/operators/workloads/operand_places.h"
#include "prediction/costs/bound.h"
#include "prediction/costs/node_cost.h"
#include "prediction/costs/physical_floor.h"

namespace opbench {
namespace {

// The command that measures one row again.
std::string reproducer_of(const PreparedUnit& unit, const EngineRun& engine_run) {
  // A sweep that chose the kernel says by which of its keys (sweep/kernel_keys.h).
  const bool is_swept = unit.identity.origin.starts_with("--over ");
  std::string text =
      fmt::format("opbench {} '{}'", is_swept ? "sweep" : "op", text_of(*unit.identity.workload));
  if (!unit.has_own_blocks)
    text += fmt::format(" --layouts {}", fmt::join(layouts_of(unit.identity), ","));
  text += fmt::format(" --engine {} --threads {}", engine_run.found.result.engine,
                      engine_run.found.result.threads);
  if (is_swept) {
    text += " " + unit.identity.origin;
  } else if (!unit.identity.origin.empty()) {
    text += fmt::format(" --tuning-log '{}'",
                        unit.identity.origin.substr(0, unit.identity.origin.rfind(':')));
  }
  const RunSettings& settings = engine_run.asked.variant.settings;
  if (settings.target != "host") text += fmt::format(" --target '{}'", settings.target);
  if (!settings.device.empty()) text += " --device " + settings.device;
  if (engine_run.asked.cache != CacheMode::kHot)
    text += " --cache " + name_of(engine_run.asked.cache);
  if (!settings.cpus.empty()) text += " --cpus " + cpu_list_text(settings.cpus);
  if (engine_run.asked.seed != 0) text += fmt::format(" --seed {}", engine_run.asked.seed);
  return text;
}

void add_times(UnitResult& row, const UnitGroup& group, const SamplingResult& samples,
               const std::vector<double>& in_place_s, const std::vector<double>& errors_ms) {
  if (row.failure) return;
  if (group.item) {
    row.time = samples.items[*group.item].time;
    row.failure = samples.items[*group.item].failure;
  }
  if (in_place_s.empty()) {
    if (row.time) row.total_ms = row.time->median_ms * static_cast<double>(row.count);
    return;
  }
  for (size_t i = 0; i < group.members.size(); ++i) {
    const double ms = s_to_ms(in_place_s[group.members[i]]);
    row.total_ms += ms;
    row.occurrences[i].in_place_ms = ms;
    if (!errors_ms.empty()) row.occurrences[i].in_place_error_ms = errors_ms[group.members[i]];
  }
  row.in_place_ms = row.total_ms / static_cast<double>(row.count);
}

// No time is published that no kernel can have.
void refuse_impossible(UnitResult& row, const EngineResult& engine, const Ceilings& ceilings) {
  if (row.failure || !engine.device.empty()) return;
  row.failure = impossible_time(row, engine, ceilings);
  if (!row.failure) return;
  row.time.reset();
  row.in_place_ms.reset();
  row.total_ms = 0;
  for (UnitOccurrence& occurrence : row.occurrences) occurrence.in_place_ms.reset();
}

/// Bytes that a call of the row fetches from memory when it is timed alone. Times that are not cold
/// had some of them in a cache.
double fetched_bytes(const UnitResult& row, const Workload* workload, CacheMode cache) {
  const bool is_known = row.time && workload != nullptr && row.is_cold.value_or(true);
  return is_known ? bytes_to_fetch(*workload, cache) : 0;
}

/// The same for an engine's only row: the weights, or all that it moves.
double fetched_bytes(const UnitResult& row, const Model& model, const std::string& cache) {
  if (cache == name_of(CacheMode::kColdAll)) return row.bytes.value_or(0);
  if (cache != name_of(CacheMode::kColdWeights)) return 0;
  double bytes = 0;
  for (const auto& [name, tensor] : model.graph.constants) {
    bytes += static_cast<double>(tensor.data.size());
  }
  return bytes;
}

/// `fetched_bytes`: by row.
void finish(EngineRun& engine_run, const Ceilings& ceilings,
            const std::vector<double>& fetched_bytes) {
  std::vector<UnitResult>& rows = engine_run.found.result.units;
  finish_code_hashes(engine_run);
  double sum = 0;
  for (UnitResult& row : rows) refuse_impossible(row, engine_run.found.result, ceilings);
  for (const UnitResult& row : rows) sum += row.total_ms;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].share = sum > 0 ? rows[i].total_ms / sum : 0;
    if (!rows[i].failure) rate_unit(rows[i], engine_run.found.result, ceilings, fetched_bytes[i]);
  }
  std::ranges::stable_sort(rows,
                           [](const auto& a, const auto& b) { return a.total_ms > b.total_ms; });
}

// "int64 1x3x224x224, …" of a list of shapes in an engine's reply.
std::string shapes_text(const Json& unit, const char* field) {
  std::vector<std::string> texts;
  if (!unit.contains(field) || !unit.at(field).is_array()) return "";
  for (const Json& item : unit.at(field)) {
    const Json shape = item.is_object() ? item.value("shape", Json()) : item;
    const bool is_shape = shape.is_array() && std::ranges::all_of(shape, [](const Json& extent) {
                            return extent.is_number_integer();
                          });
    if (is_shape) texts.push_back(shape_text(shape.get<Shape>()));
  }
  return join(texts, " ");
}

// Sums over a row's units; one that is not known makes the sum unknown.
void add_cost(UnitResult& row, const Result<NodeCost>& cost) {
  if (!cost) {
    row.flops.reset();
    row.bytes.reset();
    row.no_flops_reason = cost.error().message;
  } else if (row.flops) {
    *row.flops += cost->flops;
    *row.bytes += cost->bytes;
  }
}

// What an engine's reply says of a unit; what is missing or of another kind is empty.
UnitResult row_of_engine(const Json& unit) {
  UnitResult row;
  row.count = 0;
  if (!unit.is_object()) return row;
  if (const auto word = unit.find("operator"); word != unit.end() && word->is_string()) {
    row.identity.operator_text = *word;
  }
  const std::string inputs = shapes_text(unit, "inputs");
  const std::string outputs = shapes_text(unit, "outputs");
  row.identity.texts.shapes = inputs.empty() ? outputs : inputs + " -> " + outputs;
  const auto nodes = unit.find("nodes");
  if (nodes == unit.end() || !nodes->is_array()) return row;
  for (const Json& node : *nodes) {
    if (node.is_string()) row.identity.nodes.push_back(node);
  }
  return row;
}

/// How many different weights these equal units have: steps of an LSTM share theirs. Nothing for
/// units without weights.
std::optional<int64_t> weight_sets(const EngineRun& engine_run, const UnitGroup& group) {
  std::set<std::vector<std::string>> sets;
  for (const size_t member : group.members) {
    const PreparedUnit& unit = engine_run.built.units[member];
    if (!unit.identity.workload) return {};
    std::vector<std::string> weights;
    for (const size_t place : operands_of(*unit.identity.workload, true)) {
      if (place < unit.values.operands.size()) weights.push_back(unit.values.operands[place]);
    }
    if (weights.empty()) return {};
    sets.insert(std::move(weights));
  }
  return static_cast<int64_t>(sets.size());
}

/// Of the check, on the units that have these nodes; empty where there is none.
std::string remark_on(const EngineRun& engine_run, const std::vector<std::string>& nodes) {
  for (const std::string& node : nodes) {
    const auto remark = engine_run.found.remarks.find(node);
    if (remark != engine_run.found.remarks.end()) return remark->second;
  }
  return "";
}

}  // namespace

UnitResult untimed_row(const EngineRun& engine_run, const UnitGroup& group) {
  const PreparedUnit& unit = engine_run.built.units[group.members.front()];
  UnitResult row;
  row.identity = unit.identity;
  row.identity.nodes.clear();
  row.compile_ms = unit.compile_ms;
  row.code_bytes = unit.code_bytes;
  row.no_compile_reason = unit.no_compile_reason;
  row.code_hash = code_of_group(engine_run, group);
  row.count = static_cast<int64_t>(group.members.size());
  row.weight_sets = weight_sets(engine_run, group);
  row.failure = group.failure;
  for (const size_t member : group.members) {
    const auto& nodes = engine_run.built.units[member].identity.nodes;
    row.identity.nodes.insert(row.identity.nodes.end(), nodes.begin(), nodes.end());
    row.occurrences.push_back(
        {.nodes = nodes, .in_place_ms = {}, .step = static_cast<int64_t>(member)});
  }
  row.remark = group.remark.empty() ? remark_on(engine_run, row.identity.nodes) : group.remark;
  if (!unit.identity.workload) return row;
  row.flops = flops_of(*unit.identity.workload);
  row.bytes = bytes_of(*unit.identity.workload);
  // No operator is a copy: it is made where steps around it run elsewhere.
  if (!unit.identity.is_copy()) row.reproducer = reproducer_of(unit, engine_run);
  if (unit.identity.is_layout_change() || unit.identity.is_copy()) row.flops.reset();
  return row;
}

void fill_rows(EngineRun& engine_run, const SamplingResult& samples,
               const std::vector<double>& in_place_s, const Ceilings& ceilings) {
  const std::vector<double> none;
  const bool fits = in_place_s.size() == engine_run.built.units.size();
  const bool fits_errors =
      engine_run.found.in_place_error_ms.size() == engine_run.built.units.size();
  std::vector<double> fetched;
  for (const UnitGroup& group : engine_run.built.groups) {
    UnitResult row = untimed_row(engine_run, group);
    add_times(row, group, samples, fits ? in_place_s : none,
              fits_errors ? engine_run.found.in_place_error_ms : none);
    const PreparedUnit& unit = engine_run.built.units[group.members.front()];
    const Workload* workload = unit.identity.workload ? &*unit.identity.workload : nullptr;
    check_cold(row, workload, engine_run.found.result, engine_run.asked.cache);
    fetched.push_back(fetched_bytes(row, workload, engine_run.asked.cache));
    engine_run.found.result.units.push_back(std::move(row));
  }
  finish(engine_run, ceilings, fetched);
  std::string warning = cold_warning(engine_run.found.result, engine_run.asked.cache);
  if (!warning.empty()) engine_run.built.warnings.push_back(std::move(warning));
}

void fill_rows_of_engine(EngineRun& engine_run, const Json& units,
                         const std::vector<double>& in_place_s, const Ceilings& ceilings,
                         const Model& model) {
  const NodeCosts costs(model);
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < units.size() && i < in_place_s.size(); ++i) {
    UnitResult row = row_of_engine(units[i]);
    const std::vector<std::string> nodes = std::exchange(row.identity.nodes, {});
    row.flops = row.bytes = 0;
    const auto [place, is_new] =
        known.emplace(row.identity.operator_text + "|" + row.identity.texts.shapes,
                      engine_run.found.result.units.size());
    if (is_new) engine_run.found.result.units.push_back(std::move(row));
    UnitResult& group = engine_run.found.result.units[place->second];
    group.identity.nodes.insert(group.identity.nodes.end(), nodes.begin(), nodes.end());
    group.occurrences.push_back(
        {.nodes = nodes, .in_place_ms = s_to_ms(in_place_s[i]), .step = static_cast<int64_t>(i)});
    if (group.remark.empty()) group.remark = remark_on(engine_run, nodes);
    add_cost(group, costs.of(nodes));
    ++group.count;
    group.total_ms += s_to_ms(in_place_s[i]);
  }
  for (UnitResult& row : engine_run.found.result.units) {
    row.in_place_ms = row.total_ms / static_cast<double>(row.count);
    if (row.flops) *row.flops /= static_cast<double>(row.count);
    if (row.bytes) *row.bytes /= static_cast<double>(row.count);
  }
  // The only row of a single workload is all that the engine runs.
  const bool is_whole =
      engine_run.found.result.units.size() == 1 && engine_run.found.result.units[0].count == 1;
  if (is_whole) engine_run.found.result.units[0].time = engine_run.found.result.model.alone;
  std::vector<double> fetched(engine_run.found.result.units.size());
  if (is_whole)
    fetched[0] =
        fetched_bytes(engine_run.found.result.units[0], model, engine_run.built.setup.cache);
  finish(engine_run, ceilings, fetched);
}

}  // namespace opbench
