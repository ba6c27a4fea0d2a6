#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "planning/plans/plan_check.h"
#include "planning/plans/plan_file.h"

namespace opbench {
namespace {

/// Reads members and keeps the first fault.
class PlanReader {
 public:
  explicit PlanReader(std::string what) : what_(std::move(what)) {}

  Result<PlanFile> read(const Json& json) {
    OPBENCH_CHECK(check_schema(json));
    PlanFile file;
    get(json, "model", file.model);
    get(json, "source", file.source);
    get(json, "sha256", file.sha256);
    get(json, "target", file.target);
    get(json, "kernels_sha256", file.kernels);
    if (json.contains("kernel_choices")) {
      file.choices = list(json, "kernel_choices").dump();
    }
    get(json, "threads", file.plan.workers);
    get(json, "cpus", file.cpus);
    if (json.contains("devices")) get(json, "devices", file.devices);
    get(json, "planner", file.plan.planner);
    get(json, "reason", file.reason);
    get(json, "times", file.times);
    if (json.contains("transfers")) get(json, "transfers", file.transfers);
    get(json, "predicted_ms", file.predicted_ms);
    get(json, "sequential_ms", file.sequential_ms);
    get(json, "ceiling", file.ceiling);
    get(json, "ceiling_by_pieces", file.ceiling_by_pieces);
    if (json.contains("measured")) read_measured(json.at("measured"), file);
    get(json, "teams", file.timed.times.teams);
    for (const Json& unit : list(json, "units")) read_unit(unit, file);
    for (const Json& merge : list(json, "merges")) read_merge(merge, file.timed.times);
    std::vector<std::vector<PlanStep>> programs;
    for (const Json& worker : list(json, "workers")) programs.push_back(read_program(worker));
    if (fault_) return *fault_;
    OPBENCH_CHECK(named(check_timed(file.timed)));
    OPBENCH_CHECK(check_counts(file, programs.size()));
    OPBENCH_CHECK(join(programs, file.plan));
    OPBENCH_CHECK(named(check_plan(file.timed, file.plan)));
    return file;
  }

 private:
  Error bad(const std::string& message) const {
    return Error{ErrorCode::kInvalidInput, message}.with("in", what_);
  }

  /// A fault of the content, with the file's name.
  Result<void> named(Result<void> checked) const {
    if (checked) return {};
    return Error(std::move(checked).error()).with("in", what_);
  }

  void keep(const std::string& message) {
    if (!fault_) fault_ = bad(message);
  }

  Result<void> check_schema(const Json& json) const {
    const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
    if (schema == kPlanSchema) return {};
    const std::string found = schema.is_string() ? schema.get<std::string>() : "";
    return Error{ErrorCode::kInvalidInput,
                 found.empty() ? fmt::format("\"{}\" is no plan", what_)
                               : fmt::format("\"{}\" holds {}, not a plan", what_, found)}
        .with("known", kPlanSchema)
        .with("to make one", "opbench plan MODEL -o FILE");
  }

  void read_measured(const Json& json, PlanFile& file) {
    file.measured.emplace();
    get(json, "speedup", file.measured->speedup);
    get(json, "low", file.measured->low);
    get(json, "high", file.measured->high);
    get(json, "sequential_ms", file.measured->sequential_ms);
    get(json, "verdict", file.measured->verdict);
    if (json.is_object() && json.contains("reason")) get(json, "reason", file.measured->reason);
  }

  template <class T>
  void get(const Json& object, const char* key, T& target) {
    const auto member = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || member == object.end()) {
      keep(fmt::format("the plan has no \"{}\"", key));
      return;
    }
    try {
      target = member->get<T>();
    } catch (const nlohmann::json::exception&) {
      keep(fmt::format("\"{}\" of the plan is of another type", key));
    }
  }

  Json list(const Json& object, const char* key) {
    Json found = Json::array();
    get(object, key, found);
    if (found.is_array()) return found;
    keep(fmt::format("\"{}\" of the plan is no list", key));
    return Json::array();
  }

  void read_unit(const Json& json, PlanFile& file) {
    GraphUnit unit;
    UnitTimes times;
    UnitIdentity facts;
    get(json, "name", unit.name);
    get(json, "kind", unit.kind);
    get(json, "nodes", facts.nodes);
    get(json, "workload", facts.texts.workload);
    parse_workload_of(facts);
    get(json, "times_ms", times.times_ms);
    get(json, "spread", times.spread);
    if (json.is_object() && json.contains("weights")) {
      get(json, "weights", unit.weights);
      get(json, "reuse_ms", times.reuse_ms);
    }
    // The file has no bytes of edges: they are not known.
    std::vector<EdgeCost> costs;
    for (const Json& need : list(json, "needs")) {
      unit.needs.emplace_back();
      costs.emplace_back();
      get(need, "unit", unit.needs.back().unit);
      get(need, "handoff_ms", costs.back().handoff_ms);
      if (need.is_object() && need.contains("transfer_ms")) {
        get(need, "transfer_ms", costs.back().transfer_ms);
      }
    }
    file.timed.add(std::move(unit), std::move(times), std::move(costs));
    file.facts.push_back(std::move(facts));
  }

  void read_merge(const Json& json, TeamTimes& times) {
    times.merges.emplace_back();
    get(json, "units", times.merges.back().units);
    get(json, "times_ms", times.merges.back().times_ms);
  }

  std::vector<PlanStep> read_program(const Json& worker) {
    std::vector<PlanStep> program;
    for (const Json& entry : list(worker, "program")) {
      PlanStep step;
      get(entry, "units", step.units);
      get(entry, "team", step.workers);
      if (entry.is_object() && entry.contains("waits")) get(entry, "waits", step.waits);
      if (step.units.empty() || step.workers.empty()) keep("a step has no unit or no worker");
      program.push_back(std::move(step));
    }
    return program;
  }

  Result<void> check_counts(const PlanFile& file, size_t programs) const {
    const auto workers = static_cast<size_t>(std::max(0, file.plan.workers));
    if (workers == programs && workers == file.cpus.size() && workers > 0) return {};
    return bad(fmt::format("the plan is for {} threads, but has {} workers and {} CPUs",
                           file.plan.workers, programs, file.cpus.size()));
  }

  /// One list of steps from the workers' programs: always the next step that every member of its
  /// team has come to, the leader's copy of it.
  Result<void> join(const std::vector<std::vector<PlanStep>>& programs, ExecutionPlan& plan) const {
    std::vector<size_t> at(programs.size(), 0);
    size_t left = 0;
    for (const auto& program : programs) left += program.size();
    while (left > 0) {
      bool has_moved = false;
      for (size_t worker = 0; worker < programs.size(); ++worker) {
        if (at[worker] == programs[worker].size()) continue;
        const PlanStep& step = programs[worker][at[worker]];
        if (step.workers.front() != static_cast<int>(worker)) continue;
        OPBENCH_TRY(const bool is_together, has_come(programs, at, step));
        if (!is_together) continue;
        for (const int member : step.workers) ++at[static_cast<size_t>(member)];
        left -= step.workers.size();
        plan.steps.push_back(step);
        has_moved = true;
      }
      if (!has_moved) return stuck(programs, at);
    }
    return {};
  }

  Result<bool> has_come(const std::vector<std::vector<PlanStep>>& programs,
                        const std::vector<size_t>& at, const PlanStep& step) const {
    for (const int member : step.workers) {
      if (member < 0 || member >= static_cast<int>(programs.size())) {
        return bad(fmt::format("the team of unit {} names worker {}", step.units.front(), member))
            .with("workers", fmt::format("0 to {}", programs.size() - 1));
      }
      const auto& program = programs[static_cast<size_t>(member)];
      const size_t place = at[static_cast<size_t>(member)];
      if (place == program.size() || program[place].units != step.units) return false;
      if (program[place].workers != step.workers) {
        return bad(fmt::format("workers {} and {} do not agree on the team of unit {}",
                               step.workers.front(), member, step.units.front()));
      }
    }
    return true;
  }

  Error stuck(const std::vector<std::vector<PlanStep>>& programs,
              const std::vector<size_t>& at) const {
    for (size_t worker = 0; worker < programs.size(); ++worker) {
      if (at[worker] == programs[worker].size()) continue;
      const PlanStep& step = programs[worker][at[worker]];
      return bad(fmt::format("worker {} waits for ever for its team at unit {}", worker,
                             step.units.front()));
    }
    return bad("the workers' programs do not fit together");
  }

  std::string what_;
  std::optional<Error> fault_;
};

}  // namespace

Result<PlanFile> parse_plan_file(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const Json json, parse_json(text, what));
  return PlanReader(what).read(json);
}

}  // namespace opbench
