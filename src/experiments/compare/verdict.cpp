#include "experiments/compare/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

constexpr double kMostTimes = 100;  ///< as long: beyond it nobody waits
constexpr double kShort = 8;        ///< an interval of less than the margin over this is short
constexpr double kTwice = 2;        ///< ratios from here on are told as such, not in percent

/// What the rules are applied to; all in natural logarithms.
struct Position {
  double centre = 0, low = 0, high = 0;
  double error = 0, degrees = 0;
  double wanted = 0;    ///< margin for `same`
  double margin = 0;    ///< for a difference: wider by the floor
  double critical = 0;  ///< t that a single discovery among all the units needs
  double p = 1;         ///< of the true ratio inside the margin
  bool is_above() const { return low > margin; }
  bool is_below() const { return high < -margin; }
  bool is_inside() const { return low >= -wanted && high <= wanted; }
  bool is_hidden() const { return !is_inside() && low >= -margin && high <= margin; }
  /// Between the margin wanted and the one that the floor allows: no verdict fits there.
  bool is_between() const { return is_hidden() && (low > wanted || high < -wanted); }
  bool is_known() const { return degrees > 0; }
};

Position position_of(const Evidence& evidence, const VerdictRule& rule, size_t units) {
  const Estimate& estimate = evidence.log_ratio;
  Position at{estimate.value, estimate.interval.low, estimate.interval.high};
  at.wanted = std::log1p(rule.margin);
  at.margin = std::log1p(margin_of(rule.margin, evidence.floor));
  at.degrees = estimate.degrees;
  if (!at.is_known()) return at;
  // Where the interval reaches further on the side of the margin, the error there is larger.
  const double towards = at.centre > 0 ? at.centre - at.low : at.high - at.centre;
  at.error = std::max({estimate.error, towards / student_quantile(at.degrees), 1e-12});
  at.p = student_cdf((at.margin - std::abs(at.centre)) / at.error, at.degrees) +
         student_cdf(-(at.margin + std::abs(at.centre)) / at.error, at.degrees);
  const double tail = rule.level / static_cast<double>(std::max<size_t>(units, 1));
  at.critical = student_critical(std::min(tail, 0.5), at.degrees);
  return at;
}

/// The largest p that is a discovery (Benjamini and Hochberg 1995); negative: there is none.
double discovery_limit(const std::vector<Position>& positions, double level) {
  std::vector<double> p;
  for (const Position& position : positions) p.push_back(position.p);
  std::ranges::sort(p);
  for (size_t k = p.size(); k-- > 0;) {
    if (p[k] <= level * static_cast<double>(k + 1) / static_cast<double>(p.size())) return p[k];
  }
  return -1;
}

Verdict verdict_on(const Position& at, bool is_discovery) {
  if (!at.is_known()) return Verdict::kInconclusive;
  if (at.is_above() && is_discovery) return Verdict::kSlower;
  if (at.is_below() && is_discovery) return Verdict::kFaster;
  return at.is_inside() ? Verdict::kSame : Verdict::kInconclusive;
}

/// How many times as long the measurement would have to be until it is decided; nothing: never.
std::optional<double> times_as_long(const Position& at) {
  const double distance = std::abs(at.centre);
  double half_width = 0;
  double room = 0;
  if (distance > at.margin) {
    const double towards = at.centre > 0 ? at.centre - at.low : at.high - at.centre;
    half_width = std::max(towards, at.critical * at.error);
    room = distance - at.margin;
  } else {
    half_width = std::max(at.high - at.centre, at.centre - at.low);
    room = at.wanted - distance;
  }
  if (room <= 0) return {};
  const double times = std::pow(half_width / room, 2);
  if (times > kMostTimes) return {};
  return std::max(times, 1.0);
}

std::string percent_text(double percent) {
  return percent < 10 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", percent);
}

std::string margin_text(double margin) {
  const double percent = 100 * margin;
  return percent < 99.5 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

/// How much more (or less) time the ratio says, in percent.
double percent_of(double ratio) { return 100 * std::abs(ratio - 1); }

std::string_view direction_of(double ratio) { return ratio < 1 ? "faster" : "slower"; }

/// `0.8 % slower (0.1 to 1.5 %)`, `0.2 % faster (0.9 % faster to 0.4 % slower)`.
std::string ratio_text(const Ratio& ratio) {
  if (ratio.median >= kTwice || ratio.median <= 1 / kTwice) {
    return fmt::format("takes {:.3g} times as long ({:.3g} to {:.3g})", ratio.median, ratio.low,
                       ratio.high);
  }
  const double centre = percent_of(ratio.median);
  const std::string_view direction = centre < 0.05 ? "apart" : direction_of(ratio.median);
  const std::string text = fmt::format("{} % {}", percent_text(centre), direction);
  const bool is_one_sided = (ratio.low > 1) == (ratio.high > 1);
  if (!is_one_sided) {
    return fmt::format("{} ({} % {} to {} % {})", text, percent_text(percent_of(ratio.low)),
                       direction_of(ratio.low), percent_text(percent_of(ratio.high)),
                       direction_of(ratio.high));
  }
  const double near = std::min(percent_of(ratio.low), percent_of(ratio.high));
  const double far = std::max(percent_of(ratio.low), percent_of(ratio.high));
  return fmt::format("{} ({} to {} %)", text, percent_text(near), percent_text(far));
}

std::string reason_of(const Position& at, const JudgedRatio& judgement, size_t units) {
  if (!at.is_known()) return "too few undisturbed rounds to know how far chance reaches";
  const std::string found = ratio_text(judgement.ratio);
  const bool is_widened = at.margin > at.wanted;
  const std::string margin = margin_text(judgement.margin);
  const std::string of_floor = is_widened ? ", twice what the same code differs by here" : "";
  if (judgement.verdict == Verdict::kSame) {
    return fmt::format("{}, the margin is {}", found, margin_text(std::expm1(at.wanted)));
  }
  if (judgement.verdict != Verdict::kInconclusive) {
    return fmt::format("{}, the margin is {}{}", found, margin, of_floor);
  }
  if (at.is_above() || at.is_below()) {
    return fmt::format("{}, beyond the margin of {}, but among {} units chance can do that", found,
                       margin, units);
  }
  if (at.is_hidden()) {
    return fmt::format("{}, and differences below {} cannot be told from chance on this machine",
                       found, margin);
  }
  const bool is_near = !times_as_long(at);
  return fmt::format("{}, {} the margin of {}{}", found,
                     is_near ? "too near" : "which reaches over", margin, of_floor);
}

JudgedRatio judgement_on(const Evidence& evidence, const Position& at, bool is_discovery,
                         size_t units) {
  JudgedRatio result;
  result.verdict = verdict_on(at, is_discovery);
  result.ratio = {std::exp(at.centre), std::exp(at.low), std::exp(at.high)};
  result.margin = std::expm1(at.margin);
  result.reason = reason_of(at, result, units);
  if (result.verdict != Verdict::kInconclusive || !at.is_known()) return result;
  const std::optional<double> times = times_as_long(at);
  if (times && evidence.spent_s > 0) result.needs_s = evidence.spent_s * (*times - 1);
  return result;
}

}  // namespace

double margin_of(double wanted, std::optional<double> floor) {
  return std::max(wanted, 2 * floor.value_or(0));
}

std::vector<JudgedRatio> judge(const std::vector<Evidence>& units, const VerdictRule& rule) {
  std::vector<Position> positions;
  for (const Evidence& unit : units) positions.push_back(position_of(unit, rule, units.size()));
  const double limit = discovery_limit(positions, rule.level);
  std::vector<JudgedRatio> result;
  for (size_t i = 0; i < units.size(); ++i) {
    const bool is_discovery = positions[i].p <= limit;
    result.push_back(judgement_on(units[i], positions[i], is_discovery, units.size()));
  }
  return result;
}

JudgedRatio judge_one(const Evidence& evidence, const VerdictRule& rule) {
  return judge({evidence}, rule).front();
}

bool is_settled(const Evidence& evidence, const VerdictRule& rule, size_t units) {
  const Position at = position_of(evidence, rule, units);
  if (!at.is_known()) return false;
  if (at.is_inside() || at.is_between()) return true;
  const double alone = rule.level / static_cast<double>(std::max<size_t>(units, 1));
  if ((at.is_above() || at.is_below()) && at.p <= alone) return true;
  return (at.high - at.low) / 2 < at.wanted / kShort;
}

}  // namespace opbench
