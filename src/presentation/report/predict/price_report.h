#pragma once

#include <string>
#include <vector>

#include "prediction/predict/price_choice.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// The devices of one model, and which of them to take.
struct PricedModel {
  std::string model;
  std::vector<PricedTime> devices;
  PriceChoice choice;
};

struct PriceReport {
  std::string table;    ///< file of the prices
  double within_s = 0;  ///< latency that is to be met; 0: any
  std::vector<PricedModel> models;
};

/// A row a model and device.
TextTable price_table(const PriceReport& report);

/// Which device to take for each model, what that saves, and its regret where times are measured.
std::string price_summary(const PriceReport& report);

/// `opbench.predict-prices/1`.
std::string price_json(const PriceReport& report);

}  // namespace opbench
