// `./dev bench predict --prices DIR1,DIR2`: what a choice by predicted times costs more than one by
// measured times, when one core and two cores have a price.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/files/file.h"
#include "base/json/json.h"
#include "benchmarks/predict/corpus.h"
#include "benchmarks/predict/part.h"
#include "prediction/predict/price_choice.h"

namespace opbench {
namespace {

constexpr double kPredictPricesMostRegret = 0.02;
/// Prices of two cores when one costs 1. At less than a model's speed-up two cores are the right
/// choice for it, at more one core is.
constexpr double kPrices[] = {1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9};

/// A folder of `--models`: what was predicted before the truth was measured, and the truth.
struct Priced {
  Json models;  ///< by name
  std::map<std::string, std::vector<double>> truth;
};

Result<Priced> read_priced(const std::string& folder, const std::string& part) {
  const Corpus corpus{.folder = folder, .models = {}};
  OPBENCH_TRY(const std::string text, read_file(corpus.frozen_file()));
  OPBENCH_TRY(const Json frozen, parse_json(text, corpus.frozen_file().string()));
  OPBENCH_TRY(const auto truth, true_times(corpus));
  return Priced{frozen.at(part).at("models"), truth};
}

PricedTime time_on(const Priced& priced, const std::string& model, double price) {
  return {
      .price_per_hour = price,
      .time = PredictedTime{.median_s = priced.models.at(model).at("predicted_s").get<double>()},
      .true_s = std::ranges::min(priced.truth.at(model))};
}

/// Sums over models and prices.
struct Costs {
  double choices = 0, judged = 0, wrong = 0, late = 0;
  double regret = 0, cheapest = 0, fastest = 0;

  void add(const PriceChoice& choice) {
    choices += 1;
    late += choice.meets_truly ? 0 : 1;
    if (!choice.regret) return;
    judged += 1;
    regret += *choice.regret;
    wrong += *choice.regret > 0 ? 1 : 0;
    cheapest += choice.saved_on_cheapest.value_or(0);
    fastest += choice.saved_on_fastest.value_or(0);
  }
};

std::string predict_prices_text_of(const std::string& what, const Costs& costs) {
  const auto percent = [](double sum, double count) { return count > 0 ? 100 * sum / count : 0; };
  return fmt::format(
      "{}: {:.0f} choices, {:.1f} % not the best, regret {:.2f} %, {:.1f} % miss the latency; a "
      "call costs {:.1f} % less than on one core, {:.1f} % less than on two",
      what, costs.choices, percent(costs.wrong, costs.judged), percent(costs.regret, costs.judged),
      percent(costs.late, costs.choices), percent(costs.cheapest, costs.judged),
      percent(costs.fastest, costs.judged));
}

/// Choices for all models of both folders, at every price. `has_latency`: with a latency between
/// the two times, so that only two cores meet it.
Costs costs_of(const Priced& one, const Priced& two, bool has_latency) {
  Costs costs;
  for (const auto& [model, predicted] : one.models.items()) {
    if (!two.models.contains(model)) continue;
    if (!one.truth.contains(model) || !two.truth.contains(model)) continue;
    for (const double price : kPrices) {
      const std::vector<PricedTime> devices = {time_on(one, model, 1), time_on(two, model, price)};
      const double within_s = has_latency ? std::sqrt(*devices[0].true_s * *devices[1].true_s) : 0;
      costs.add(choose_price(devices, within_s));
    }
  }
  return costs;
}

Result<void> run_predict_prices(const std::string& given, const Arguments&, Report& report) {
  const std::vector<std::string> folders = split(given, ',');
  if (folders.size() != 2) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is not two folders", given)}.with(
        "usage", "--prices DIR1,DIR2: folders of --models with --threads 1 and --threads 2");
  }
  for (const auto& [part, what] :
       {std::pair("model_out", "single model out"), std::pair("family_out", "family out")}) {
    OPBENCH_TRY(const Priced one, read_priced(folders[0], part));
    OPBENCH_TRY(const Priced two, read_priced(folders[1], part));
    const Costs any = costs_of(one, two, false);
    report.note(predict_prices_text_of(fmt::format("{}, any latency", what), any));
    report.note(predict_prices_text_of(fmt::format("{}, only two cores are fast enough", what),
                                       costs_of(one, two, true)));
    report.add({fmt::format("{}: regret of the price choice, %", what),
                any.judged > 0 ? 100 * any.regret / any.judged : 0, 100 * kPredictPricesMostRegret,
                any.judged > 0 ? "" : "no model was measured with one and with two threads"});
  }
  return {};
}

}  // namespace

PredictPart predict_prices() {
  return {.option = {.name = "--prices",
                     .value_name = "DIR1,DIR2",
                     .help = "choose one core or two by price; folders of --models with one and\n"
                             "with two threads"},
          .run = run_predict_prices};
}

}  // namespace opbench
