#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>

#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "base/numbers/number.h"
#include "experiments/place/metered_power.h"
#include "experiments/place/place_session.h"
#include "experiments/sessions/request/run_request.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/place/device_options.h"
#include "presentation/cli/place/share_options.h"
#include "presentation/cli/profile/profile_options.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/place/place_report.h"

namespace opbench {
namespace {

bool is_energy_measured(const Arguments& arguments) {
  return std::ranges::count(arguments.values("--energy"), kMeasuredEnergy) > 0;
}

/// What is declared: by the last file that --energy names, or built in.
Result<EnergyConstants> energy_of(const Arguments& arguments) {
  std::string name(kBuiltInEnergy);
  for (const std::string& value : arguments.values("--energy")) {
    if (value != kMeasuredEnergy) name = value;
  }
  if (name == kBuiltInEnergy) return parse_energy(built_in_energy_text(), name);
  OPBENCH_TRY(const std::string text, read_text_file(name));
  return parse_energy(text, name);
}

Result<void> set_devices(const Arguments& arguments, PlaceRequest& request) {
  request.from_name = arguments.value("--from");
  if (request.from_name.empty()) {
    OPBENCH_TRY(request.devices, parse_devices(arguments.values("--devices")));
    if (is_energy_measured(arguments)) {
      OPBENCH_TRY(request.meter, required_meter());
    }
    return {};
  }
  if (arguments.is_typed("--devices")) {
    return invalid_input("--devices and --from exclude each other: a report has its devices");
  }
  OPBENCH_TRY(const std::string text, read_text_file(request.from_name));
  OPBENCH_TRY(request.from, parse_place_graph(text, request.from_name));
  if (!is_energy_measured(arguments)) return {};
  OPBENCH_TRY(const auto measured, measured_powers(text, request.from_name));
  for (const auto& [name, power] : measured) request.energy.devices[name] = power;
  return {};
}

Result<void> set_shares(const Arguments& arguments, PlaceRequest& request) {
  std::vector<std::string> names;
  for (const DeviceChoice& device : request.devices) names.push_back(device.name);
  if (request.from) {
    for (const PlaceDevice& device : request.from->devices) names.push_back(device.name);
  }
  OPBENCH_TRY(request.study.shares, shares_of(arguments.values("--at-least"), names));
  return {};
}

Result<PlaceRequest> place_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  PlaceRequest request;
  OPBENCH_CHECK(check_device_options(arguments));
  OPBENCH_TRY(request.run, run_request_of(invocation));
  OPBENCH_TRY(request.energy, energy_of(arguments));
  OPBENCH_CHECK(set_devices(arguments, request));
  if (arguments.has("--within")) {
    OPBENCH_TRY(request.study.within_ms, arguments.positive("--within"));
  }
  OPBENCH_CHECK(set_shares(arguments, request));
  request.study.seed = request.run.model.seed;
  const std::string& text = arguments.positionals().front();
  request.run.model.name = text;
  if (request.from) return request;
  OPBENCH_TRY(const ModelArgument model, resolve_model(text));
  request.run.model.name = model.name;
  request.run.model.is_zoo = model.is_zoo;
  return request;
}

Result<void> write_place_report(const PlaceResult& result, const Arguments& arguments,
                                Terminal& terminal) {
  constexpr int kIndent = 1;
  OPBENCH_TRY(const std::string format, format_of(arguments));
  const TableForm form = table_form(arguments, terminal);
  std::string text;
  if (format == "json") text = json_text(place_json(result), kIndent) + "\n";
  if (format == "csv") text = csv_text(place_table(result));
  if (format == "md") text = markdown_text(place_table(result));
  if (format == "table") text = place_text(result, form.width, form.style);
  return write_text(text, arguments, terminal);
}

/// Each device of this machine has the budget; nothing where none is measured.
std::optional<WaitNotice> place_waits(const PlaceRequest& request, ProgressLine& progress) {
  const std::vector<ProfileRequest> devices = prepared_requests(request);
  if (devices.empty()) return {};
  const double measuring_s = static_cast<double>(devices.size()) * request.run.measure.budget_s;
  return WaitNotice(progress, estimate_preparation("place", devices, 1), measuring_s);
}

Result<void> place_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(check_table_options(arguments));
  const std::string energy = arguments.value("--write-energy");
  if (!energy.empty()) OPBENCH_CHECK(check_writable(energy, "--write-energy"));
  OPBENCH_TRY(PlaceRequest request, place_request(invocation));
  const bool is_measured = is_energy_measured(arguments);
  if (!energy.empty() && !is_measured) {
    OPBENCH_CHECK(write_output(energy, built_in_energy_text()));
  }
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.run.hooks.cancel = &interruption.flag();
  std::optional<WaitNotice> waits = place_waits(request, progress);
  request.run.hooks.progress = [&](const Progress& state) {
    waits ? waits->show(state) : progress.show(state);
  };
  const Result<PlaceResult> result = run_place(request);
  progress.clear();
  if (waits) waits->keep();
  if (!result) return Error(result.error());
  if (!energy.empty() && is_measured) {
    OPBENCH_CHECK(write_output(energy, energy_text(result->energy)));
  }
  OPBENCH_CHECK(write_place_report(*result, arguments, terminal));
  if (interruption.flag()) return Error{ErrorCode::kInterrupted, "interrupted"};
  if (result->study.is_limit_met) return {};
  return Error{ErrorCode::kNoMatch, "no placement ends within --within"};
}

std::vector<OptionDef> place_options() {
  std::vector<OptionDef> result = {
      {.name = "--devices",
       .value_name = "DEVICE,DEVICE…",
       .help = "where units may run: CPUs of this machine (cpu0, cpu0+cpu1), with a target\n"
               "(cpu1:avx2) or a busy neighbour (cpu0:busy), an OpenCL device (opencl:0), or a\n"
               "JSON file of times (opbench.device/1, opbench.profile/1)",
       .otherwise = "cpu0,cpu1",
       .kind = OptionKind::kList},
      share_option(),
      {.name = "--within",
       .value_name = "MS",
       .help = "look for the least energy within this makespan; default: that of the fastest\n"
               "device alone",
       .is_settable = false},
      {.name = "--energy",
       .value_name = "FILE",
       .help =
           "constants of the energy model, TOML, or `measured`: this machine's energy meter gives\n"
           "the watts of its CPUs. Give both for measured watts and constants for the rest",
       .otherwise = std::string(kBuiltInEnergy),
       .kind = OptionKind::kRepeated,
       .file = FileUse::kRead},
      {.name = "--write-energy",
       .value_name = "FILE",
       .help = "write the built-in constants there, with comments, to be changed; with\n"
               "--energy measured: the constants of this run",
       .is_settable = false,
       .file = FileUse::kWritten},
      {.name = "--from",
       .value_name = "FILE",
       .help = "units, devices and times from a report of `opbench place --format json`;\n"
               "nothing is measured",
       .is_settable = false,
       .file = FileUse::kRead}};
  for (const auto& some : {table_options(), device_measuring_options()}) {
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

}  // namespace

CommandDef place_command() {
  return {
      .name = "place",
      .summary = "Place the units of a model on several devices: makespan, energy, optimum",
      .positionals = {{.name = "MODEL",
                       .help = "an ONNX file or its URL, or a name from `opbench list models`",
                       .file = FileUse::kRead}},
      .options = place_options(),
      .examples =
          {{"opbench place resnet-18 --devices cpu0,cpu1:avx2",
            "two CPUs, one of them with AVX2 alone"},
           {"opbench place resnet-18 --devices cpu0,cpu1:avx2 --format json -o p.json && opbench "
            "place resnet-18 --from p.json --within 20",
            "the least energy within 20 ms, without measuring again"},
           {"opbench place resnet-18 --devices cpu0,opencl:0 --at-least opencl:0=34",
            "run the model on a CPU and an OpenCL device, a third of the units on that"},
           {"opbench place resnet-18 --write-energy energy.toml",
            "constants to change; then --energy energy.toml"}},
      .notes =
          "Times are those of units inside the running model on each device. Devices take turns,\n"
          "and the first one takes part twice: the A/A control, which `verdict` judges speed-ups\n"
          "by. What neighbours in caches cost is not in the times. Makespans are simulated,\n"
          "transfers and energies modelled. A CPU and an OpenCL device run the shortest placement\n"
          "that uses both, and that of --at-least. `optimum` is exact for schedules in rank order\n"
          "(HEFT's); `frugal` has the least energy within the limit.",
      .help_rank = 6,
      .run = place_run};
}

}  // namespace opbench
