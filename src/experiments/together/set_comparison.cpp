#include "experiments/together/set_comparison.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "engines/catalog/engine_choice.h"
#include "engines/runtime/executor.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/session.h"
#include "experiments/together/set_model.h"
#include "experiments/together/set_unit.h"
#include "machine/facts/topology.h"
#include "model/graph/onnx_file.h"
#include "planning/plans/plan_file.h"

namespace opbench {
namespace {

constexpr int kWorkers = 2;

PlanFile plan_file_of(const SetSide& side, const std::array<KernelSpec, 2>& units,
                      const ProfileRequest& profile) {
  PlanFile file{.model = "together",
                .sha256 = profile.model.download.sha256,
                .target = display_text(units[0].target),
                .cpus = profile.settings.cpus,
                .times = "measured alone"};
  file.timed.times.teams = {1, kWorkers};
  for (size_t i = 0; i < units.size(); ++i) {
    file.timed.add({.name = i == 0 ? "first" : "second", .kind = operator_text(units[i].workload)},
                   {.times_ms = {side.one_ms[i], side.two_ms[i]}});
    UnitIdentity& unit = file.facts.emplace_back();
    unit.operator_text = operator_text(units[i].workload);
    unit.workload = units[i].workload;
  }
  file.plan = plan_of(side.arrangement);
  return file;
}

}  // namespace

Result<SetComparison> SetComparison::make(const std::array<KernelSpec, 2>& units,
                                          const RunRequest& run,
                                          const std::filesystem::path& folder) {
  SetComparison set;
  set.units_ = units;
  set.folder_ = folder;
  set.profile_ = profile_of(run, {package_engine().name}, {kWorkers});
  ProfileRequest& request = set.profile_;
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(request.settings.cpus, cpus_of(topology, run.settings, kWorkers));
  request.model.name = (folder / "together.onnx").string();
  OPBENCH_CHECK(write_onnx(model_of_set(units, run.model.seed), request.model.name));
  OPBENCH_TRY(const std::string bytes, read_file(request.model.name));
  request.model.download.sha256 = sha256(bytes);
  request.model.layouts = layouts_of_set({units[0], units[1]});
  request.measure.measures_units = false;
  return set;
}

ProfileRequest SetComparison::request_of(const SetSide& side) {
  ProfileRequest request = profile_;
  request.settings.kernels = {side.kernels.begin(), side.kernels.end()};
  request.settings.executor = kDefaultExecutor;
  if (side.arrangement == Arrangement::kSequential) return request;
  request.settings.executor = planned_executor();
  request.settings.plan = {
      .file = fmt::format("plan {}", plans_++),
      .sha256 = {},
      .value = std::make_shared<const PlanFile>(plan_file_of(side, units_, profile_))};
  return request;
}

Result<CompareResult> SetComparison::run(const std::vector<SetSide>& sides, double budget_s,
                                         bool is_look) {
  CompareRequest request;
  for (const SetSide& side : sides) {
    ProfileRequest profile = request_of(side);
    if (is_look) profile.measure.check_engine = "none";
    request.sides.push_back(variant_of(std::move(profile)));
  }
  request.scope.has_units = false;
  request.scope.has_control = !is_look;
  request.budget_s = budget_s / static_cast<double>(sides.size() - 1);
  request.seed = profile_.model.seed;
  request.hooks.progress = profile_.hooks.progress;
  request.hooks.cancel = profile_.hooks.cancel;
  return run_compare(request);
}

}  // namespace opbench
