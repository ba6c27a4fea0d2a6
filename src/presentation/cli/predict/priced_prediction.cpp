#include "presentation/cli/predict/priced_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files/text_file.h"
#include "base/system/seconds.h"
#include "experiments/unit_times/predicted_model.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/extent_options.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/predict/known_times.h"
#include "presentation/cli/predict/predictor_option.h"
#include "presentation/cli/predict/price_table.h"
#include "presentation/report/predict/price_report.h"

namespace opbench {
namespace {

/// What is loaded once for all models.
struct Device {
  PricedDevice priced;
  std::optional<UnitPredictor> predictor;
  std::map<std::string, KnownTime> times;
};

Result<void> check_priced_prediction_options(const Arguments& arguments) {
  for (const char* option : {"--threads", "--record"}) {
    if (!arguments.is_typed(option)) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} does not go with --prices", option)}
        .with("reason", "the price table names devices and their threads");
  }
  for (const std::string& text : arguments.positionals()) {
    if (is_workload(text)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("--prices takes models, not \"{}\"", text)};
    }
  }
  return {};
}

Result<std::vector<Device>> devices_of(const Arguments& arguments) {
  const std::string file = arguments.value("--prices");
  OPBENCH_TRY(const std::string text, read_text_file(file));
  OPBENCH_TRY(const std::vector<PricedDevice> table, parse_price_table(text, file));
  std::vector<Device> devices;
  for (const PricedDevice& priced : table) {
    Device device{.priced = priced};
    if (!priced.times.empty()) {
      OPBENCH_TRY(device.times, read_device_times(priced.times));
    }
    if (priced.threads > 0) {
      const Arguments of_device = arguments.with("--threads", {std::to_string(priced.threads)});
      OPBENCH_TRY(const PredictorChoice choice, predictor_choice(of_device));
      OPBENCH_TRY(device.predictor, chosen_predictor(choice));
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

/// A model with its name in records, planned for the threads that were asked for.
Result<PlannedModel> planned(const Arguments& arguments, const std::string& text, int threads,
                             Terminal& terminal) {
  OPBENCH_TRY(const ModelArgument model, resolve_model(text));
  ProfileRequest request;
  request.threads = {threads};
  OPBENCH_CHECK(set_extents(arguments, request));
  OPBENCH_CHECK(set_download(arguments, request));
  request.model.name = model.name;
  request.model.is_zoo = model.is_zoo;
  show_download(request, terminal);
  return plan_model(request);
}

PricedTime time_on(const Device& device, const PlannedModel& model, double level) {
  PricedTime result{.device = device.priced.name, .price_per_hour = device.priced.price_per_hour};
  const auto known = device.times.find(model.name);
  if (known != device.times.end() && known->second.measured) {
    result.true_s = known->second.measured->median_s;
  }
  if (device.predictor && model.missing.empty()) {
    result.time = predict_planned(model, *device.predictor, level).total;
    result.source = fmt::format("predicted, {} {}", device.priced.threads,
                                device.priced.threads == 1 ? "thread" : "threads");
  } else if (device.predictor) {
    result.missing = "some of its operators have no time: " + model.missing.begin()->first;
  } else if (known == device.times.end()) {
    result.missing = fmt::format("\"{}\" is not in {}", model.name, device.priced.times.string());
  } else {
    result.time = known->second.measured ? known->second.measured : known->second.predicted;
    result.source = (known->second.measured ? "measured, " : "predicted, ") +
                    device.priced.times.filename().string();
  }
  return result;
}

Result<PriceReport> priced_prediction_report_of(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const double level, arguments.percent("--interval"));
  PriceReport report{.table = arguments.value("--prices")};
  if (arguments.has("--within")) {
    OPBENCH_TRY(const double within_ms, arguments.positive("--within"));
    report.within_s = within_ms / kMsPerSecond;  // which prints as it was typed
  }
  OPBENCH_TRY(const std::vector<Device> devices, devices_of(arguments));
  for (const std::string& text : arguments.positionals()) {
    PricedModel priced;
    std::map<int, PlannedModel> plans;  // by threads, which default configs depend on
    for (const Device& device : devices) {
      const int threads = std::max(device.priced.threads, 1);
      if (!plans.contains(threads)) {
        OPBENCH_TRY(plans[threads], planned(arguments, text, threads, terminal));
      }
      priced.model = plans.at(threads).name;
      priced.devices.push_back(time_on(device, plans.at(threads), level));
    }
    priced.choice = choose_price(priced.devices, report.within_s);
    report.models.push_back(std::move(priced));
  }
  return report;
}

Result<void> write_priced_prediction_report(const PriceReport& report, const Arguments& arguments,
                                            Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") return write_text(price_json(report), arguments, terminal);
  const TextTable table = price_table(report);
  if (format == "csv") return write_text(csv_text(table), arguments, terminal);
  const TableForm form = table_form(arguments, terminal);
  const std::string text =
      format == "md" ? markdown_text(table) : aligned_text(table, form.width, form.style);
  return write_text(text + "\n" + price_summary(report), arguments, terminal);
}

}  // namespace

std::vector<OptionDef> price_options() {
  return {{.name = "--prices",
           .value_name = "FILE",
           .help = "price table (TOML): which device is the cheapest a call for each MODEL",
           .file = FileUse::kRead},
          {.name = "--within",
           .value_name = "MS",
           .help = "with --prices: only devices on which a call takes no longer"}};
}

Result<void> predict_prices(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_CHECK(check_priced_prediction_options(arguments));
  OPBENCH_TRY(const PriceReport report, priced_prediction_report_of(arguments, terminal));
  OPBENCH_CHECK(write_priced_prediction_report(report, arguments, terminal));
  Error error{ErrorCode::kPartial, "some models have no device"};
  for (const PricedModel& model : report.models) {
    if (!model.choice.chosen) error.facts.push_back({"model", model.model});
  }
  if (!error.facts.empty()) return error;
  return {};
}

}  // namespace opbench
