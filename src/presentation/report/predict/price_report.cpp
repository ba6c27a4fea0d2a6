#include "presentation/report/predict/price_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "base/system/seconds.h"
#include "presentation/report/predict/predicted_time.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kPredictPricesSchema = "opbench.predict-prices/1";

constexpr double kMillion = 1e6;

/// By its predicted time: `yes` also at the end of the interval.
std::string meets_text(const PredictedTime& time, double within_s) {
  if (within_s <= 0 || time.high_s <= within_s) return "yes";
  return time.median_s <= within_s ? "likely" : "no";
}

double per_million(const PricedTime& device) {
  return price_of(device.time->median_s, device.price_per_hour) * kMillion;
}

Json price_report_json_of(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json name_json(const PricedModel& model, std::optional<size_t> device) {
  return device ? Json(model.devices[*device].device) : Json();
}

Json price_report_json_of(const PricedTime& device, double within_s) {
  Json json = {{"device", device.device}, {"price_per_hour", device.price_per_hour}};
  if (device.time) {
    json.update(json_of(*device.time));
    json["price_per_million_calls"] = per_million(device);
    json["meets_latency"] = within_s <= 0 || device.time->median_s <= within_s;
  } else {
    json["median_ms"] = nullptr;
    json["reason"] = device.missing;
  }
  json["measured_ms"] = device.true_s ? Json(s_to_ms(*device.true_s)) : Json();
  json["source"] = device.source;
  return json;
}

TextRow price_report_row_of(const PricedModel& model, size_t i, double within_s) {
  const PricedTime& device = model.devices[i];
  TextRow row{{model.model, device.device, fmt::format("{:.4g}", device.price_per_hour)}};
  if (device.time) {
    row.cells.push_back(ms_text(s_to_ms(device.time->median_s)));
    row.cells.push_back(range_text(*device.time));
    row.cells.push_back(meets_text(*device.time, within_s));
    row.cells.push_back(fmt::format("{:.4g}", per_million(device)));
  } else {
    row.cells.insert(row.cells.end(), {"-", "-", "-", "-"});
    row.below.push_back(device.missing);
  }
  row.cells.push_back(device.true_s ? ms_text(s_to_ms(*device.true_s)) : "-");
  row.cells.push_back(device.source);
  row.is_emphasised = model.choice.chosen == i;
  row.cells.emplace_back(row.is_emphasised ? "take" : "");
  return row;
}

std::string regret_text(const PricedModel& model) {
  const PriceChoice& choice = model.choice;
  if (!choice.meets_truly) return "; it does not meet the latency as measured";
  if (!choice.regret) return "; regret: not known, as not every device has a measured time";
  return fmt::format("; regret by measured times: {}", percent_text(*choice.regret));
}

std::string saved_text(double share, const std::string& than) {
  if (share < 0) return fmt::format("{} more than {}", percent_text(-share), than);
  return fmt::format("{} less than {}", percent_text(share), than);
}

}  // namespace

TextTable price_table(const PriceReport& report) {
  TextTable table;
  table.columns = {{.header = "model", .shrinks_to = 10},
                   {.header = "device", .shrinks_to = 8},
                   {.header = "price", .is_right_aligned = true, .unit = "an hour"},
                   {.header = "time", .is_right_aligned = true, .unit = "ms"},
                   {.header = "interval",
                    .drop_order = 2,
                    .unit = "ms",
                    .numbers = {"interval low", "interval high"}},
                   {.header = "meets", .unit = "latency"},
                   {.header = "price of calls", .is_right_aligned = true, .unit = "a million"},
                   {.header = "measured", .is_right_aligned = true, .drop_order = 3, .unit = "ms"},
                   {.header = "from", .shrinks_to = 10, .drop_order = 1},
                   {.header = ""}};
  for (const PricedModel& model : report.models) {
    for (size_t i = 0; i < model.devices.size(); ++i) {
      table.rows.push_back(price_report_row_of(model, i, report.within_s));
    }
  }
  return table;
}

std::string price_summary(const PriceReport& report) {
  std::string text;
  for (const PricedModel& model : report.models) {
    const PriceChoice& choice = model.choice;
    if (!choice.chosen) {
      text += report.within_s > 0 ? fmt::format("{}: no device takes at most {} ms\n", model.model,
                                                ms_text(s_to_ms(report.within_s)))
                                  : fmt::format("{}: no device has a time\n", model.model);
      continue;
    }
    const auto& devices = model.devices;
    text += fmt::format("{}: take {}", model.model, devices[*choice.chosen].device);
    if (choice.cheapest != choice.chosen) {
      text += ", " + saved_text(*choice.saved_on_cheapest,
                                "the least price an hour, " + devices[*choice.cheapest].device);
    }
    if (choice.fastest != choice.chosen) {
      text += ", " + saved_text(*choice.saved_on_fastest,
                                "the fastest, " + devices[*choice.fastest].device);
    }
    text += regret_text(model) + "\n";
  }
  return text;
}

std::string price_json(const PriceReport& report) {
  Json json = {{"schema", kPredictPricesSchema},
               {"prices", report.table},
               {"within_ms", report.within_s > 0 ? Json(s_to_ms(report.within_s)) : Json()},
               {"models", Json::array()}};
  for (const PricedModel& model : report.models) {
    const PriceChoice& choice = model.choice;
    Json devices = Json::array();
    for (const PricedTime& device : model.devices) {
      devices.push_back(price_report_json_of(device, report.within_s));
    }
    json["models"].push_back({{"model", model.model},
                              {"chosen", name_json(model, choice.chosen)},
                              {"cheapest_an_hour", name_json(model, choice.cheapest)},
                              {"fastest", name_json(model, choice.fastest)},
                              {"best_as_measured", name_json(model, choice.truly_best)},
                              {"meets_latency_as_measured", choice.meets_truly},
                              {"regret", price_report_json_of(choice.regret)},
                              {"saved_on_cheapest", price_report_json_of(choice.saved_on_cheapest)},
                              {"saved_on_fastest", price_report_json_of(choice.saved_on_fastest)},
                              {"devices", std::move(devices)}});
  }
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

}  // namespace opbench
