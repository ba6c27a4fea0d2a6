#include "prediction/analysis/knee.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "prediction/analysis/curve_forms.h"
#include "prediction/analysis/segments.h"

namespace opbench {
namespace {

constexpr size_t kKneeLeastPoints = 8;
constexpr double kLeastChange = 0.03;
constexpr double kMostChance = 0.01;

/// The largest difference of ln T between the two lines and the one line.
double largest_change(const std::vector<double>& x, const FittedLine& one, const Segments& two) {
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const FittedLine& own = two.lines[i < two.ends[0] ? 0 : 1];
    largest = std::max(largest, std::fabs(own.at(x[i]) - one.at(x[i])));
  }
  return largest;
}

std::string why_none(const Knee& knee, double least_gain, double change, size_t points) {
  if (points < kKneeLeastPoints) {
    return fmt::format("{} values are too few to tell a knee from noise; {} are needed", points,
                       kKneeLeastPoints);
  }
  if (knee.gain < least_gain) {
    return fmt::format(
        "one straight line in log-log explains the times as well: two lines gain {:.1f} in BIC, "
        "and {:g} would be strong evidence",
        knee.gain, least_gain);
  }
  if (change < kLeastChange) {
    return fmt::format("two lines differ from one by {:.1f} % of the time at most", 100 * change);
  }
  return fmt::format(
      "a straight line with this noise shows such a break in {:.0f} % of all sweeps of {} values",
      100 * knee.chance, points);
}

KneeKind kind_of(const Knee& knee, double residual) {
  constexpr double kWorse = 0.05;
  const double clear = std::max(3 * residual, 0.1);
  const bool meet = knee.bend_gain >= knee.gain;
  if (!meet && std::fabs(knee.jump) > clear) return KneeKind::kStep;
  if (knee.slope_behind < knee.slope_before) return KneeKind::kSpeedsUp;
  return knee.slope_behind > kWorse ? KneeKind::kWorsens : KneeKind::kSaturates;
}

/// Whether a curve without a break has a smaller BIC.
bool is_smooth(const Curve& curve, double bic) {
  return std::ranges::any_of(std::array{CurveForm::kAmdahl, CurveForm::kUsl, CurveForm::kHockney},
                             [&](CurveForm form) {
                               const auto fit = fit_form(form, curve);
                               return fit && fit->bic < bic;
                             });
}

}  // namespace

std::string_view name_of(KneeKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"none", "step", "saturates", "worsens",
                                                      "speeds-up"};
  return kNames.at(static_cast<size_t>(kind));
}

Knee find_knee(const Curve& curve, double least_gain, uint64_t seed) {
  Knee knee;
  if (curve.size() < 2 * kLeastSegment) {
    knee.reason = why_none(knee, least_gain, 0, curve.size());
    return knee;
  }
  const Segments one = segments_of(curve, 1);
  const Segments two = segments_of(curve, 2);
  const BentLine bent = bent_line_of(curve);
  const std::vector<double> x = abscissa_of(curve);
  const size_t next = two.ends[0];
  const double middle = (x[next - 1] + x[next]) / 2;
  knee.last = knee.low = knee.high = curve[next - 1].x;
  knee.next = curve[next].x;
  knee.slope_before = two.lines[0].slope;
  knee.slope_behind = two.lines[1].slope;
  knee.jump = two.lines[1].at(middle) - two.lines[0].at(middle);
  knee.gain = one.bic - two.bic;
  knee.bend = curve[bent.bend].x;
  knee.bend_gain = one.bic - bent.bic;
  const double change = largest_change(x, one.lines[0], two);
  const bool may_exist =
      knee.gain >= least_gain && change >= kLeastChange && curve.size() >= kKneeLeastPoints;
  constexpr int kDraws = 999;
  if (may_exist) knee.chance = chance_of_break(curve, knee.gain, kDraws, seed);
  if (!may_exist || knee.chance > kMostChance) {
    knee.reason = why_none(knee, least_gain, change, curve.size());
    return knee;
  }
  const double residual = std::sqrt(two.squares / static_cast<double>(curve.size()));
  knee.kind = kind_of(knee, residual);
  knee.is_gradual = knee.kind != KneeKind::kStep && is_smooth(curve, two.bic);
  return knee;
}

}  // namespace opbench
