#include "planning/plans/plan_file.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace opbench {
namespace {

Json units_json(const PlanFile& file) {
  Json units = Json::array();
  for (size_t i = 0; i < file.graph.size(); ++i) {
    const TimedUnit& unit = file.graph.units[i];
    Json json = {{"id", i}, {"name", unit.name}, {"kind", unit.kind}};
    json["nodes"] = file.facts[i].nodes;
    json["workload"] = file.facts[i].workload;
    json["needs"] = Json::array();
    for (const UnitNeed& need : unit.needs) {
      json["needs"].push_back({{"unit", need.unit},
                               {"handoff_ms", need.handoff_ms},
                               {"transfer_ms", need.transfer_ms}});
    }
    json["times_ms"] = unit.times_ms;
    json["spread"] = unit.spread;
    if (unit.weights != TimedUnit::kNoWeights) {
      json["weights"] = unit.weights;
      json["reuse_ms"] = unit.reuse_ms;
    }
    units.push_back(std::move(json));
  }
  return units;
}

Json merges_json(const UnitGraph& graph) {
  Json merges = Json::array();
  for (const MergedUnits& merge : graph.merges) {
    merges.push_back({{"units", merge.units}, {"times_ms", merge.times_ms}});
  }
  return merges;
}

/// For each worker its steps. Only the leader's entry of a step names waits.
Json workers_json(const PlanFile& file) {
  Json workers = Json::array();
  for (int worker = 0; worker < file.plan.workers; ++worker) {
    Json program = Json::array();
    for (const PlanStep& step : file.plan.steps) {
      bool is_member = false;
      for (const int member : step.workers) is_member = is_member || member == worker;
      if (!is_member) continue;
      Json entry = {{"units", step.units}, {"team", step.workers}};
      if (step.workers.front() == worker) entry["waits"] = step.waits;
      program.push_back(std::move(entry));
    }
    workers.push_back(
        {{"cpu", file.cpus[static_cast<size_t>(worker)]}, {"program", std::move(program)}});
  }
  return workers;
}

}  // namespace

Json to_json(const MeasuredSpeedup& measured) {
  return {{"speedup", measured.speedup}, {"low", measured.low},
          {"high", measured.high},       {"sequential_ms", measured.sequential_ms},
          {"verdict", measured.verdict}, {"reason", measured.reason}};
}

Json to_json(const PlanFile& file) {
  Json json;
  json["schema"] = kPlanSchema;
  json["tool"] = "opbench " OPBENCH_VERSION;
  json["model"] = file.model;
  json["source"] = file.source;
  json["sha256"] = file.sha256;
  json["target"] = file.target;
  json["kernels_sha256"] = file.kernels;
  if (!file.choices.empty()) json["kernel_choices"] = Json::parse(file.choices);
  json["threads"] = file.plan.workers;
  json["cpus"] = file.cpus;
  json["planner"] = file.plan.planner;
  json["reason"] = file.reason;
  json["times"] = file.times;
  if (!file.transfers.empty()) json["transfers"] = file.transfers;
  json["predicted_ms"] = file.predicted_ms;
  json["sequential_ms"] = file.sequential_ms;
  json["ceiling"] = file.ceiling;
  json["ceiling_by_pieces"] = file.ceiling_by_pieces;
  if (file.measured) json["measured"] = to_json(*file.measured);
  json["teams"] = file.graph.teams;
  json["units"] = units_json(file);
  json["merges"] = merges_json(file.graph);
  json["workers"] = workers_json(file);
  return json;
}

}  // namespace opbench
