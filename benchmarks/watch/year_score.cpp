#include "benchmarks/watch/year_score.h"

#include <algorithm>
#include <map>
#include <set>

namespace opbench {
namespace {

constexpr int kLatestNights = 3;

class Scorer {
 public:
  Scorer(const SyntheticYear& year, AlertState least) : year_(year), least_(least) {
    for (size_t i = 0; i < year.truth.series.size(); ++i) {
      places_[year.truth.series[i]] = static_cast<int>(i);
    }
  }

  YearScore score(const RegressReport& report) const {
    YearScore score;
    std::set<const Alert*> explained;
    for (size_t i = 0; i < year_.truth.changes.size(); ++i) {
      add_change(report, static_cast<int>(i), explained, score);
    }
    for (const Alert& alert : report.alerts) {
      if (!counts(alert) || explained.contains(&alert)) continue;
      ++score.false_groups;
      score.false_alerts.push_back(alert.id);
    }
    return score;
  }

 private:
  bool counts(const Alert& alert) const {
    return alert.kind == AlertKind::kChange && alert.state >= least_;
  }

  /// Nights that were measured from a change on, before another night.
  int measured_between(int from, int to) const {
    return static_cast<int>(std::ranges::count_if(year_.history.nights, [&](const Night& night) {
      return night.index >= from && night.index < to;
    }));
  }

  int rows_of(const Alert& alert, const TrueChange& change) const {
    return static_cast<int>(std::ranges::count_if(alert.rows, [&](const AlertRow& row) {
      const auto place = places_.find(row.series);
      return place != places_.end() && change.effects.contains(place->second);
    }));
  }

  void add_change(const RegressReport& report, int place, std::set<const Alert*>& explained,
                  YearScore& score) const {
    const TrueChange& change = year_.truth.changes[static_cast<size_t>(place)];
    int best = -1, listed = 0;
    for (const Alert& alert : report.alerts) {
      const bool is_there = alert.engine == change.engine &&
                            alert.range.good_night < change.night &&
                            change.night <= alert.range.bad_night;
      if (!counts(alert) || !is_there || rows_of(alert, change) == 0) continue;
      explained.insert(&alert);
      listed += rows_of(alert, change);
      const int said = alert.confirmed_night.value_or(alert.reported_night);
      const int delay = measured_between(change.night, said);
      if (best < 0 || delay < best) best = delay;
    }
    const bool is_big = year_.truth.is_big(change);
    const bool is_found = best >= 0 && best <= kLatestNights;
    ++score.changes;
    score.found += is_found;
    score.big += is_big;
    score.big_found += is_big && is_found;
    score.big_late += is_big && best > kLatestNights;
    if (is_big && !is_found) score.missed.push_back(place);
    if (!is_found) return;
    score.rows_changed += static_cast<int>(change.effects.size());
    score.rows_listed += listed;
  }

  const SyntheticYear& year_;
  AlertState least_;
  std::map<std::string, int> places_;
};

}  // namespace

YearScore year_score_of(const RegressReport& report, const SyntheticYear& year, AlertState least) {
  return Scorer(year, least).score(report);
}

}  // namespace opbench
