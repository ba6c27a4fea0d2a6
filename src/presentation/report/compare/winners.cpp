#include "presentation/report/compare/winners.h"

#include <algorithm>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"

namespace opbench {
namespace {

/// What the ratios of pairs of sides say of one unit.
class Contest {
 public:
  explicit Contest(const std::vector<ComparedVariant>& sides)
      : sides_(sides),
        count_(sides.size()),
        beats_(count_ * count_),
        ties_(count_ * count_),
        judged_(count_ * count_),
        median_ms_(count_) {}

  void add(const Comparison& pair, const CompareUnit& unit) {
    take_time(pair.base, unit.base);
    take_time(pair.candidate, unit.candidate);
    if (is_ahead(pair, unit, true)) beats_[at(pair.candidate, pair.base)] = true;
    if (is_ahead(pair, unit, false)) beats_[at(pair.base, pair.candidate)] = true;
    if (unit.verdict) {
      judged_[at(pair.base, pair.candidate)] = judged_[at(pair.candidate, pair.base)] = true;
    }
    if (unit.verdict == Verdict::kSame) {
      ties_[at(pair.base, pair.candidate)] = ties_[at(pair.candidate, pair.base)] = true;
    }
  }

  void decide(Standing& standing) {
    close_over_pairs();
    standing.median_ms = median_ms_;
    std::vector<size_t> unbeaten;
    int64_t taking_part = 0;
    for (size_t side = 0; side < count_; ++side) {
      if (!median_ms_[side]) continue;
      ++taking_part;
      if (!is_beaten(side)) unbeaten.push_back(side);
    }
    if (taking_part < 2) return;
    if (unbeaten.size() == 1) unbeaten = not_behind(unbeaten.front());
    if (unbeaten.size() == 1) standing.winner = unbeaten.front();
    if (unbeaten.size() < 2) return;
    if (all_tie(unbeaten)) {
      standing.tied = unbeaten;
    } else if (static_cast<int64_t>(unbeaten.size()) < taking_part) {
      standing.unbeaten = unbeaten;
    }
  }

 private:
  /// Whether the new side (else the base) is faster beyond doubt and margin. A verdict decides: an
  /// interval beyond the margin may be chance among many units.
  bool is_ahead(const Comparison& pair, const CompareUnit& unit, bool is_new) const {
    if (unit.verdict) return unit.verdict == (is_new ? Verdict::kFaster : Verdict::kSlower);
    if (!unit.ratio || !unit.base || !unit.candidate) return false;
    if (!why_no_verdict(unit.base->clock, unit.candidate->clock).empty()) return false;
    const double margin = 1 + unit.margin_percent / 100;
    const bool is_beyond = is_new ? unit.ratio->high < 1 / margin : unit.ratio->low > margin;
    if (!is_beyond) return false;
    const ComparedVariant& behind = sides_[is_new ? pair.base : pair.candidate];
    const double ahead_ms = (is_new ? unit.candidate : unit.base)->median_ms;
    const double behind_ms = (is_new ? unit.base : unit.candidate)->median_ms;
    return ahead_ms < behind_ms - behind.call_floor_ms;
  }

  /// Of several pairs the first counts.
  void take_time(size_t side, const std::optional<Measurement>& time) {
    if (time && !median_ms_[side]) median_ms_[side] = time->median_ms;
  }

  size_t at(size_t row, size_t column) const { return row * count_ + column; }

  /// Who beats one that beats another beats that one too (Warshall 1962), unless their own verdict
  /// says otherwise.
  void close_over_pairs() {
    for (size_t middle = 0; middle < count_; ++middle) {
      for (size_t first = 0; first < count_; ++first) {
        if (!beats_[at(first, middle)]) continue;
        for (size_t last = 0; last < count_; ++last) {
          if (beats_[at(middle, last)] && !judged_[at(first, last)]) beats_[at(first, last)] = true;
        }
      }
    }
  }

  bool is_beaten(size_t side) const {
    for (size_t other = 0; other < count_; ++other) {
      if (median_ms_[other] && beats_[at(other, side)]) return true;
    }
    return false;
  }

  /// The side that nobody beats, and those that it does not beat itself, by their verdict.
  std::vector<size_t> not_behind(size_t first) const {
    std::vector<size_t> sides;
    for (size_t side = 0; side < count_; ++side) {
      const bool is_behind = side != first && beats_[at(first, side)];
      if (median_ms_[side] && !is_behind) sides.push_back(side);
    }
    return sides;
  }

  bool all_tie(const std::vector<size_t>& sides) const {
    for (const size_t first : sides) {
      for (const size_t second : sides) {
        if (first != second && !ties_[at(first, second)]) return false;
      }
    }
    return true;
  }

  const std::vector<ComparedVariant>& sides_;
  size_t count_;
  std::vector<bool> beats_, ties_;
  std::vector<bool> judged_;  ///< pairs that have a verdict
  std::vector<std::optional<double>> median_ms_;
};

std::vector<const Comparison*> all_pairs(const CompareResult& result) {
  std::vector<const Comparison*> pairs;
  for (const auto* some : {&result.comparisons, &result.among_new}) {
    for (const Comparison& pair : *some) pairs.push_back(&pair);
  }
  return pairs;
}

Standing standing_of(const CompareUnit& unit) {
  Standing standing;
  standing.identity = unit.identity;
  standing.count = unit.count;
  return standing;
}

}  // namespace

std::vector<Standing> unit_standings(const CompareResult& result) {
  std::vector<const CompareUnit*> units;
  std::vector<Contest> contests;
  for (const Comparison* pair : all_pairs(result)) {
    for (const CompareUnit& unit : pair->units) {
      const auto known = std::ranges::find_if(
          units, [&](const CompareUnit* other) { return other->identity == unit.identity; });
      const auto index = static_cast<size_t>(known - units.begin());
      if (known == units.end()) {
        units.push_back(&unit);
        contests.emplace_back(result.sides);
      }
      contests[index].add(*pair, unit);
    }
  }
  std::vector<Standing> standings;
  for (size_t i = 0; i < units.size(); ++i) {
    standings.push_back(standing_of(*units[i]));
    contests[i].decide(standings.back());
  }
  return standings;
}

Standing model_standing(const CompareResult& result) {
  Contest contest(result.sides);
  for (const Comparison* pair : all_pairs(result)) contest.add(*pair, pair->model);
  Standing standing;
  standing.identity.operator_text = "model";
  contest.decide(standing);
  return standing;
}

std::string winner_text(const Standing& standing, const std::vector<std::string>& labels) {
  if (standing.winner) return printable(labels[*standing.winner]);
  const auto named = [&](const std::vector<size_t>& sides, const std::string& separator) {
    std::vector<std::string> words;
    for (const size_t side : sides) words.push_back(printable(labels[side]));
    return join(words, separator);
  };
  if (!standing.unbeaten.empty()) return named(standing.unbeaten, " or ");
  if (standing.tied.empty()) return "?";
  if (standing.tied.size() == labels.size()) return "tie";
  return "tie: " + named(standing.tied, ", ");
}

}  // namespace opbench
