#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/analysis/axis_effects.h"
#include "experiments/analysis/swept_times.h"
#include "experiments/analysis/triad_sweep.h"
#include "prediction/analysis/correlate.h"
#include "prediction/analysis/plateaus.h"
#include "prediction/analysis/probes.h"
#include "prediction/analysis/turning_point.h"

namespace opbench {

/// What counts as the cost of a setting.
enum class TurningMeasure {
  kByAxis,   ///< the time of an item where the axis counts items or bytes, else the time
  kTime,     ///< the time of a call
  kPerItem,  ///< the time divided by the value of the axis
};

struct TurningRequest {
  std::string axis;                 ///< empty: what varies
  std::vector<std::string> values;  ///< of the axis that count; empty: all
  TurningMeasure measure = TurningMeasure::kByAxis;
  size_t probes = 0;  ///< at most so many points are looked at; 0: all
  TurningPointOptions options;
};

/// One curve, with what it says.
struct TurningSeries {
  std::string name;  ///< `engine=halide batch=8`; empty for an only one
  std::string axis;
  Curve curve;  ///< points that were looked at
  std::optional<TurningPoint> point;
  std::string failure;                  ///< why there is no turning point
  std::vector<Rise> rises;              ///< of a working set
  std::vector<double> probe_order;      ///< with a budget of probes
  std::optional<double> regret;         ///< of n_best among the probes, over the whole sweep
  std::optional<double> regret_enough;  ///< of n95 among them
};

struct TurningReport {
  std::string subject, source, time_name, unit;
  bool is_per_item = false;
  size_t rows = 0, without_time = 0;
  std::vector<AxisEffect> effects;  ///< with several axes: most variance first
  double unexplained = 0;           ///< share of the variance that no axis explains alone
  bool is_surrogate = false;        ///< curves of several axes are those of the trees
  std::vector<TurningSeries> series;
  std::vector<CacheSize> caches;  ///< of the machine, where a working set was measured on it
  std::vector<std::string> notes;
};

/// The turning points of a sweep: of a named axis, a series for each choice of the other keys; of
/// several axes, the axes' effects, and a series for each axis that has one. `kInvalidInput`: no
/// such axis, an axis of words or of one value, fewer than three values.
Result<TurningReport> turning_report(const SweptTimes& table, const TurningRequest& request);

/// True for axes that count items or bytes: batch, bytes, items, size, working_set.
bool counts_items(const std::string& axis);

/// The turning point of one curve; without one, with the reason in `failure`.
TurningSeries turning_series(const std::string& name, const std::string& axis, const Curve& curve,
                             const TurningRequest& request);

}  // namespace opbench
