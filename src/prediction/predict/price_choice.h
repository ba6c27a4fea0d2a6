#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/unit_predictor.h"

namespace opbench {

/// A device that one may pay for, with what a model takes on it.
struct PricedTime {
  std::string device;
  double price_per_hour = 0;  ///< above 0, in any currency
  std::optional<PredictedTime> time;
  std::optional<double> true_s;  ///< measured
  std::string source;            ///< where the time comes from
  std::string missing;           ///< why there is no time
};

/// The price of a call that keeps its device busy so long.
double price_of(double seconds, double price_per_hour);

/// Which device to take.
struct PriceChoice {
  std::optional<size_t> chosen;    ///< the cheapest a call that meets the latency; none does
  std::optional<size_t> cheapest;  ///< least price an hour, whatever it takes
  std::optional<size_t> fastest;
  std::optional<size_t> truly_best;  ///< by measured times, where all devices with a time have one
  bool meets_truly = true;           ///< whether the chosen one meets the latency as measured
  /// What a call on the chosen device costs more than on the best one, by measured times; nothing
  /// where these are not known or one of the two does not meet the latency.
  std::optional<double> regret;
  std::optional<double> saved_on_cheapest;  ///< share that a call costs less than on `cheapest`
  std::optional<double> saved_on_fastest;
};

/// By predicted times at their medians; `within_s` 0: any latency will do. Equal prices: the faster
/// device. Savings are by measured times where the regret is known, else by predicted ones.
PriceChoice choose_price(const std::vector<PricedTime>& devices, double within_s);

}  // namespace opbench
