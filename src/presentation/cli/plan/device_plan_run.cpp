#include "presentation/cli/plan/device_plan_run.h"

#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <vector>

#include "base/json/json_text.h"
#include "experiments/place/device_plan_session.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/place/device_options.h"
#include "presentation/cli/place/share_options.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/place/place_run_tables.h"
#include "presentation/report/plan/device_plan_report.h"

namespace opbench {
namespace {

constexpr int kDevicePlanIndent = 1;

/// Options of plans for CPUs, whose times are of teams.
Result<void> check_no_team_options(const Arguments& arguments) {
  for (const char* const name : {"--from", "--times", "--predictors", "--interference", "--sets",
                                 "--planner", "--tries", "--simulate", "--verify", "--trace"}) {
    if (!arguments.is_typed(name)) continue;
    return invalid_input(std::string(name) + " is of plans for CPUs alone, without --devices");
  }
  return {};
}

Result<PlaceRequest> request_for_devices(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  PlaceRequest request;
  OPBENCH_CHECK(check_no_team_options(arguments));
  OPBENCH_TRY(request.run, run_request_of(invocation));
  OPBENCH_TRY(request.energy, parse_energy(built_in_energy_text(), std::string(kBuiltInEnergy)));
  OPBENCH_TRY(request.devices, parse_devices(arguments.values("--devices")));
  OPBENCH_CHECK(check_device_options(arguments));
  std::vector<std::string> names;
  for (const DeviceChoice& device : request.devices) names.push_back(device.name);
  OPBENCH_TRY(request.study.shares, shares_of(arguments.values("--at-least"), names));
  request.study.seed = request.run.model.seed;
  OPBENCH_TRY(const ModelArgument model, resolve_model(arguments.positionals().front()));
  request.run.model.name = model.name;
  request.run.model.is_zoo = model.is_zoo;
  return request;
}

Result<std::string> device_report_of(const PlaceResult& result, const std::string& format,
                                     const Terminal& terminal) {
  if (format == "json") return json_text(device_plan_json(result), kDevicePlanIndent) + "\n";
  const TextStyle style{terminal.has_colour};
  if (format == "table") return device_plan_text(result, terminal.width, style);
  return formatted_text(place_run_table(result), format, terminal.width, style);
}

}  // namespace

std::vector<OptionDef> device_plan_options() {
  return {{.name = "--devices",
           .value_name = "DEVICE,DEVICE",
           .help = "instead of --threads: workers that are a CPU and an OpenCL device\n"
                   "(cpu0,opencl:0); the plan is run and checked",
           .kind = OptionKind::kList,
           .is_settable = false},
          share_option()};
}

Result<void> plan_on_devices(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  const std::string output = arguments.value("--output");
  if (!output.empty()) OPBENCH_CHECK(check_writable(output, "--output"));
  OPBENCH_TRY(PlaceRequest request, request_for_devices(invocation));
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  const std::vector<ProfileRequest> devices = prepared_requests(request);
  const double measuring_s = static_cast<double>(devices.size() + 1) * request.run.measure.budget_s;
  WaitNotice waits(progress, estimate_preparation("plan", devices, 1), measuring_s);
  request.run.hooks.progress = [&](const Progress& state) { waits.show(state); };
  const Result<PlaceResult> result = run_device_plan(request);
  progress.clear();
  waits.keep();
  if (!result) return Error(result.error());
  OPBENCH_TRY(const std::string report, device_report_of(*result, format, terminal));
  terminal.out << report << std::flush;
  if (output.empty()) return {};
  const Json plan = device_plan_json(*result);
  if (plan.is_null()) {
    return Error{ErrorCode::kNoMatch, "no plan is written: the shortest one uses one device"}.with(
        "to use both", "--at-least opencl:0=34");
  }
  return write_output(output, json_text(plan, kDevicePlanIndent) + "\n");
}

}  // namespace opbench
