#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "prediction/analysis/curve.h"

namespace opbench {

enum class KneeKind {
  kNone,
  kStep,       ///< the time jumps between two neighbouring values
  kSaturates,  ///< more still helps behind it, or does no harm, but less than before
  kWorsens,    ///< more costs time behind it
  kSpeedsUp,   ///< more helps more behind it
};

/// `none`, `step`, `saturates`, `worsens`, `speeds-up`
std::string_view name_of(KneeKind kind);

/// The break between two independent lines in log-log, where the evidence for one is strong.
struct Knee {
  KneeKind kind = KneeKind::kNone;
  std::string reason;                         ///< why there is none
  double last = 0;                            ///< n_knee: the last value before the break
  double next = 0;                            ///< the first one behind it
  double low = 0, high = 0;                   ///< 95 % interval of `last`
  double slope_before = 0, slope_behind = 0;  ///< d ln T / d ln n
  double jump = 0;          ///< of ln T between the two lines, half way between the two values
  double gain = 0;          ///< in BIC over one line; 10 is strong evidence
  double chance = 1;        ///< that a straight line with this noise shows as large a gain
  double bend = 0;          ///< where two lines that meet have their bend
  double bend_gain = 0;     ///< in BIC over one line
  bool is_gradual = false;  ///< a smooth form explains the times better than two lines
  bool exists() const { return kind != KneeKind::kNone; }
};

/// Looks for a knee. It needs a gain in BIC of at least `least_gain`, a chance below 1 %, a
/// difference between the lines of more than 3 % somewhere, and 8 points. The data are taken as
/// they are: smoothing makes knees out of noise. `last` and `next` are the break's even where
/// `kind` is none, when there are 6 points.
Knee find_knee(const Curve& curve, double least_gain, uint64_t seed);

}  // namespace opbench
