#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "model/operators/workloads/unit_identity.h"
#include "planning/plans/execution_plan.h"

namespace opbench {

inline constexpr const char* kPlanSchema = "opbench.plan/1";

/// How a plan did beside the sequential one when both were run, in turns.
struct MeasuredSpeedup {
  double speedup = 1, low = 1, high = 1;  ///< sequential time over the plan's, 95 % interval
  double sequential_ms = 0;
  std::string verdict;      ///< on the plan's time: faster, slower, same, inconclusive
  std::string reason = {};  ///< why this verdict, in one line; empty in older files
  bool operator==(const MeasuredSpeedup&) const = default;
};

/// What `opbench.plan/1` holds: for what it was planned, by which times, and a program for each
/// worker.
struct PlanFile {
  std::string model;
  std::string source;     ///< zoo, or the path
  std::string sha256;     ///< of the model
  std::string target;     ///< display form
  std::string kernels;    ///< SHA-256 over what names every kernel, for each size of team
  std::string choices;    ///< kernels in place of the default ones, a list in JSON; empty: none
  std::vector<int> cpus;  ///< of the workers, in their order
  /// Of the workers, where they are devices that run steps of a package, copies among them, in
  /// place of a model's units; empty: they are CPUs.
  std::vector<std::string> devices = {};
  std::string times;      ///< where the units' times are from: `measured in the model`, …
  std::string transfers;  ///< where hand-off and transfer times are from; empty: not known
  double predicted_ms = 0, sequential_ms = 0;
  double ceiling = 1, ceiling_by_pieces = 1;  ///< H: the largest speed-up that any plan can have
  std::string reason;                         ///< why this plan was chosen
  std::optional<MeasuredSpeedup> measured;    ///< nothing: it was not run
  TimedGraph timed;
  std::vector<UnitIdentity> facts;  ///< by unit; files have workload and nodes of them
  ExecutionPlan plan;
  bool operator==(const PlanFile&) const = default;
};

/// The member `measured` of the file.
Json to_json(const MeasuredSpeedup& measured);

/// The file as JSON: docs/reference/plans.md.
Json to_json(const PlanFile& file);

/// Whether it says that it is such a file.
bool is_plan(const Json& json);

/// `kInvalidInput` with the place for text that is no plan: no JSON, another schema, a member that
/// is missing or of another type, workers whose programs disagree on a step, and all that
/// check_timed and check_plan refuse: units that are missing or unknown, waits in a circle, needs
/// that are not waited for. `what` names the file.
Result<PlanFile> parse_plan_file(const std::string& text, const std::string& what);

}  // namespace opbench
