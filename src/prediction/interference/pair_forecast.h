#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prediction/interference/sensitivity.h"
#include "prediction/interference/slowdown.h"

namespace opbench {

/// What is known of a unit without any pair: all that a forecast may use.
struct UnitPressure {
  SensitivityCurve curve{{}};
  double pressure = 1;                     ///< slow-down of the reference probe beside the unit
  std::optional<double> bytes_per_s = {};  ///< that it moves alone; nothing where it is not known
};

/// Slow-downs of one unit beside another, by ours and by the baselines.
struct PairForecast {
  double curve = 1;                         ///< the unit's curve at the other's pressure
  double max = 1;                           ///< the longer one covers the shorter one: none
  double sum = 2;                           ///< as if they took turns
  std::optional<double> bandwidth_share{};  ///< both demands over what memory gives, 1 at least
};

/// `peak_bytes_per_s`: what both CPUs can move together; 0: not known.
PairForecast forecast(const UnitPressure& unit, const UnitPressure& beside,
                      double peak_bytes_per_s);

/// A forecast beside what was measured.
struct JudgedForecast {
  PairForecast predicted;
  Slowdown measured;
};

/// How far one way of predicting is off, over all slow-downs that were measured.
struct ForecastErrors {
  std::string method;                                        ///< curve, max, sum, bandwidth share
  size_t pairs = 0;                                          ///< slow-downs that it predicted
  double mean_error = 0, median_error = 0, worst_error = 0;  ///< |predicted / measured - 1|
  size_t hits = 0;                                           ///< hurt, and predicted to
  size_t false_alarms = 0;                                   ///< predicted to hurt, and do not
  size_t misses = 0;                                         ///< hurt, not predicted to
  std::optional<double> precision() const;  ///< nothing where none is predicted to hurt
  std::optional<double> recall() const;     ///< nothing where none hurts
};

/// One a method, ours first; a method without any prediction is left out. A slow-down hurts above
/// `threshold` (1.1: ten percent).
std::vector<ForecastErrors> forecast_errors(const std::vector<JudgedForecast>& judged,
                                            double threshold);

/// What no predictor can be asked to beat: the mean over all slow-downs of half their interval over
/// their value.
double noise_floor(const std::vector<JudgedForecast>& judged);

/// Slow-downs whose interval holds the threshold: measured, but on neither side of it for sure.
size_t undecided(const std::vector<JudgedForecast>& judged, double threshold);

}  // namespace opbench
