#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/json/json_text.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "presentation/report/exports/graph_names.h"
#include "presentation/report/exports/trace_events.h"
#include "presentation/report/tables/unit_rows.h"

namespace opbench {
namespace {

constexpr int kTraceUnits = 1;  ///< the thread of the units

Json arguments_of_place(const UnitPlace& place) {
  const UnitResult& unit = *place.unit;
  Json arguments = {{"nodes", place.nodes}, {"workload", workload_text(unit.identity)}};
  if (!unit.identity.schedule.empty()) arguments["schedule"] = unit.identity.schedule;
  if (!unit.bound.empty()) arguments["bound"] = unit.bound;
  if (unit.time) arguments["alone_ms"] = unit.time->median_ms;
  if (unit.gflops_per_s) arguments["gflops_per_s"] = *unit.gflops_per_s;
  return arguments;
}

/// One call of the model, unit after unit, as a profile knows it: a process an engine. Returns the
/// number of places that have a time.
int add_engine(int process, const EngineResult& engine, const std::string& model,
               const GraphNames* names, TraceEvents& events) {
  struct Span {
    double begin = 0, end = 0;
  };
  const std::vector<UnitPlace> places = places_of(engine, names);
  std::vector<Span> spans;
  double now = 0;
  int timed = 0;
  for (const UnitPlace& place : places) {
    const bool has_copies = place.unit->occurrences.empty();
    const double copies = has_copies ? static_cast<double>(place.unit->count) : 1;
    const double length = place.unit->failure ? 0 : place.ms.value_or(0) * copies;
    spans.push_back({now, now + length});
    now += length;
    timed += length > 0 ? 1 : 0;
  }
  events.name_process(process, run_name(engine));
  events.name_thread(process, kTraceUnits, "units of one call, in the model");
  Json whole = {{"units", places.size()}};
  if (engine.model.end_to_end) whole["end_to_end_ms"] = engine.model.end_to_end->median_ms;
  if (engine.model.dispatch_ms) whole["dispatch_ms"] = *engine.model.dispatch_ms;
  events.add_slice(process, kTraceUnits, model, "model", 0, now, std::move(whole));
  for (size_t i = 0; i < places.size(); ++i) {
    const UnitPlace& place = places[i];
    const std::string& name = place.unit->identity.operator_text;
    if (place.unit->failure) {
      events.add_instant(process, kTraceUnits, name + " failed", spans[i].begin,
                         {{"failure", to_text(*place.unit->failure)}});
    } else if (spans[i].end > spans[i].begin) {
      Json arguments = arguments_of_place(place);
      const bool is_sum = place.unit->occurrences.empty() && place.unit->count > 1;
      if (is_sum) arguments["calls"] = place.unit->count;
      events.add_slice(process, kTraceUnits, name, "unit", spans[i].begin, spans[i].end,
                       std::move(arguments));
    }
  }
  for (size_t i = 0; i < places.size(); ++i) {
    for (const size_t need : places[i].needs) {
      const bool are_drawn = spans[i].end > spans[i].begin && spans[need].end > spans[need].begin;
      if (!are_drawn || need >= i) continue;
      const double middle = (spans[need].begin + spans[need].end) / 2;
      events.add_flow(process, kTraceUnits, middle, kTraceUnits, spans[i].begin);
    }
  }
  return timed;
}

Result<ExportText> write_trace(const ExportInput& input) {
  const ProfileResult& profile = input.profile;
  std::optional<GraphNames> names;
  if (input.graph != nullptr) names.emplace(*input.graph);
  TraceEvents events;
  int timed = 0;
  int process = 0;
  for (const EngineResult& engine : profile.engines) {
    timed += add_engine(++process, engine, profile.model, names ? &*names : nullptr, events);
  }
  if (timed == 0) return nothing_to_export(profile, "no unit of the profile has a time");
  const char* order = names ? "the model's; arrows are its dependencies"
                            : "by total time, as the model's graph was not there";
  const Json json = std::move(events).file({{"model", profile.model},
                                            {"run_id", profile.run_id},
                                            {"times", "measured, unit by unit"},
                                            {"order", order}});
  ExportText result{.text = json_text(json) + "\n"};
  if (!names) {
    result.remarks.push_back(
        "units stand by total time and without dependencies: the model's graph was not found");
  }
  return result;
}

}  // namespace

ExportDef trace_export() {
  return {.name = "trace",
          .summary = "a Chrome trace, for Perfetto and chrome://tracing; of a plan too",
          .graph = GraphUse::kIfThere,
          .write = write_trace};
}

}  // namespace opbench
