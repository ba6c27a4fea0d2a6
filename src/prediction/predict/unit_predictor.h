#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "machine/ceilings/ceilings.h"
#include "prediction/predict/error_figures.h"
#include "prediction/predict/interval_scale.h"
#include "prediction/predict/unit_forests.h"

namespace opbench {

/// What is known of the predictions for a kind of units: what it learnt from, and how far it was
/// off where whole models had been left out.
struct KindCard {
  int64_t samples = 0;
  int64_t workloads = 0;  ///< different kernels
  std::set<std::string> schedules;
  std::map<std::string, std::pair<float, float>> ranges;  ///< of the features, least and most
  ErrorFigures errors;                                    ///< in the model, else alone
  IntervalScale isolated;
  IntervalScale in_model;
};

/// The same of whole models.
struct ModelCard {
  int64_t samples = 0;
  ErrorFigures errors;
  IntervalScale scale;
  double dispatch_s = 0;       ///< of a unit
  double call_overhead_s = 0;  ///< of a call
  double bias = 1;             ///< what sums are multiplied by

  /// The time of a call whose `units` units take `sum_s` together.
  double total_s(double sum_s, int64_t units) const {
    return (sum_s + dispatch_s * static_cast<double>(units)) * bias + call_overhead_s;
  }
};

/// Predicts units of one engine with so many threads on one machine.
struct UnitPredictor {
  std::string engine;
  int threads = 1;
  std::string machine_hash;
  std::string software_hash;
  std::string schedule_version;
  std::string target;     ///< display form
  std::string timestamp;  ///< of the training, RFC 3339, UTC
  Ceilings ceilings;
  UnitForests forests;
  std::map<std::string, KindCard> kinds;
  KindCard all;  ///< of all kinds together: its scales stand in where a kind has too few
  ModelCard models;
  std::vector<std::string> record_ids;  ///< what it learnt from

  /// Names it in records and reports: a hash of the identifiers above and of the records.
  std::string id() const;
};

/// A time with the interval that holds it with the probability that was asked for.
struct PredictedTime {
  double median_s = 0;
  double low_s = 0;
  double high_s = 0;
  bool is_assumed = false;  ///< too few errors are known to promise a level: a factor of two
};

struct PredictedUnit {
  PredictedTime isolated;
  PredictedTime in_model;
  bool is_in_range = true;
  std::string why_not;  ///< what is outside of what the predictor has seen
};

/// `level`: 0 … 1.
PredictedUnit predict_unit(const UnitPredictor& predictor, const UnitFeatures& features,
                           const ModelContext& context, double level);

/// The time of a whole model from the sum of its units' times in it. The interval comes from the
/// errors of such sums for models that were left out of training, because errors of one model's
/// units correlate. With too few such models it is the widest interval of a unit, as if all units
/// had the same error.
PredictedTime predict_model(const UnitPredictor& predictor, double sum_s, int64_t units,
                            double level);

}  // namespace opbench
