#include "prediction/predict/price_choice.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace opbench {
namespace {

using PriceChoiceSeconds = std::function<double(const PricedTime&)>;

double predicted_s(const PricedTime& device) { return device.time->median_s; }
double true_s(const PricedTime& device) { return *device.true_s; }

/// The device with a time for which `key` is least, among those that `counts`.
template <class Key, class Filter>
std::optional<size_t> least(const std::vector<PricedTime>& devices, const Key& key,
                            const Filter& counts) {
  std::optional<size_t> best;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].time || !counts(devices[i])) continue;
    if (!best || key(devices[i]) < key(devices[*best])) best = i;
  }
  return best;
}

std::optional<size_t> best_by(const std::vector<PricedTime>& devices, double within_s,
                              const PriceChoiceSeconds& seconds) {
  return least(
      devices,
      [&](const PricedTime& device) {
        return std::pair(price_of(seconds(device), device.price_per_hour), seconds(device));
      },
      [&](const PricedTime& device) { return within_s <= 0 || seconds(device) <= within_s; });
}

}  // namespace

double price_of(double seconds, double price_per_hour) {
  constexpr double kSecondsPerHour = 3600;
  return seconds * price_per_hour / kSecondsPerHour;
}

PriceChoice choose_price(const std::vector<PricedTime>& devices, double within_s) {
  const auto any = [](const PricedTime&) { return true; };
  PriceChoice choice;
  choice.chosen = best_by(devices, within_s, predicted_s);
  choice.cheapest = least(
      devices,
      [](const PricedTime& device) {
        return std::pair(device.price_per_hour, predicted_s(device));
      },
      any);
  choice.fastest = least(devices, predicted_s, any);
  const bool is_known =
      choice.cheapest && std::ranges::all_of(devices, [](const PricedTime& device) {
        return !device.time || device.true_s;
      });
  if (is_known) choice.truly_best = best_by(devices, within_s, true_s);
  if (!choice.chosen) return choice;
  const PricedTime& chosen = devices[*choice.chosen];
  choice.meets_truly = within_s <= 0 || !chosen.true_s.has_value() || *chosen.true_s <= within_s;
  const PriceChoiceSeconds seconds = is_known ? true_s : predicted_s;
  const auto price = [&](size_t device) {
    return price_of(seconds(devices[device]), devices[device].price_per_hour);
  };
  if (choice.truly_best && choice.meets_truly) {
    choice.regret = price(*choice.chosen) / price(*choice.truly_best) - 1;
  }
  choice.saved_on_cheapest = 1 - price(*choice.chosen) / price(*choice.cheapest);
  choice.saved_on_fastest = 1 - price(*choice.chosen) / price(*choice.fastest);
  return choice;
}

}  // namespace opbench
