#include "planning/plans/plan_file.h"

#include <nlohmann/json.hpp>

#include <utility>

#include "base/json/json_members.h"

namespace opbench {
namespace {

Json units_json(const PlanFile& file) {
  Json units = Json::array();
  for (size_t i = 0; i < file.timed.size(); ++i) {
    const GraphUnit& unit = file.timed.graph.units[i];
    const UnitTimes& times = file.timed.times.units[i];
    Json json = {{"id", i}, {"name", unit.name}, {"kind", unit.kind}};
    json["nodes"] = file.facts[i].nodes;
    json["workload"] = workload_text(file.facts[i]);
    json["needs"] = Json::array();
    for (size_t need = 0; need < unit.needs.size(); ++need) {
      const EdgeCost& cost = file.timed.costs[i][need];
      json["needs"].push_back({{"unit", unit.needs[need].unit},
                               {"handoff_ms", cost.handoff_ms},
                               {"transfer_ms", cost.transfer_ms}});
    }
    json["times_ms"] = times.times_ms;
    json["spread"] = times.spread;
    if (unit.weights != GraphUnit::kNoWeights) {
      json["weights"] = unit.weights;
      json["reuse_ms"] = times.reuse_ms;
    }
    units.push_back(std::move(json));
  }
  return units;
}

Json merges_json(const TeamTimes& times) {
  Json merges = Json::array();
  for (const MergedUnits& merge : times.merges) {
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
  if (!file.devices.empty()) json["devices"] = file.devices;
  json["planner"] = file.plan.planner;
  json["reason"] = file.reason;
  json["times"] = file.times;
  if (!file.transfers.empty()) json["transfers"] = file.transfers;
  json["predicted_ms"] = file.predicted_ms;
  json["sequential_ms"] = file.sequential_ms;
  json["ceiling"] = file.ceiling;
  json["ceiling_by_pieces"] = file.ceiling_by_pieces;
  if (file.measured) json["measured"] = to_json(*file.measured);
  json["teams"] = file.timed.times.teams;
  json["units"] = units_json(file);
  json["merges"] = merges_json(file.timed.times);
  json["workers"] = workers_json(file);
  return json;
}

bool is_plan(const Json& json) { return text_of_member(json, "schema") == kPlanSchema; }

}  // namespace opbench
