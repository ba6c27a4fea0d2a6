#include "opbench/report/winners.h"

#include <algorithm>
#include <utility>

#include "opbench/base/suggestion.h"
#include "opbench/report/display_width.h"

namespace opbench {
namespace {

/// What the verdicts on pairs of sides say of one unit.
class Contest {
 public:
  explicit Contest(size_t sides)
      : count_(sides), beats_(sides * sides), ties_(sides * sides), median_ms_(sides) {}

  void add(const Comparison& pair, const CompareUnit& unit) {
    take_time(pair.base, unit.base);
    take_time(pair.candidate, unit.candidate);
    if (unit.verdict == Verdict::kFaster) beats_[at(pair.candidate, pair.base)] = true;
    if (unit.verdict == Verdict::kSlower) beats_[at(pair.base, pair.candidate)] = true;
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
    if (unbeaten.size() == 1) standing.winner = unbeaten.front();
    if (unbeaten.size() > 1 && all_tie(unbeaten)) standing.tied = unbeaten;
  }

 private:
  /// Of several pairs the first counts.
  void take_time(size_t side, const std::optional<Measurement>& time) {
    if (time && !median_ms_[side]) median_ms_[side] = time->median_ms;
  }

  size_t at(size_t row, size_t column) const { return row * count_ + column; }

  /// Who beats one that beats another beats that one too (Warshall 1962).
  void close_over_pairs() {
    for (size_t middle = 0; middle < count_; ++middle) {
      for (size_t first = 0; first < count_; ++first) {
        if (!beats_[at(first, middle)]) continue;
        for (size_t last = 0; last < count_; ++last) {
          if (beats_[at(middle, last)]) beats_[at(first, last)] = true;
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

  bool all_tie(const std::vector<size_t>& sides) const {
    for (const size_t first : sides) {
      for (const size_t second : sides) {
        if (first != second && !ties_[at(first, second)]) return false;
      }
    }
    return true;
  }

  size_t count_;
  std::vector<bool> beats_, ties_;
  std::vector<std::optional<double>> median_ms_;
};

bool is_same_unit(const CompareUnit& first, const CompareUnit& second) {
  return first.workload == second.workload && first.operator_text == second.operator_text &&
         first.shapes == second.shapes && first.nodes == second.nodes;
}

Standing standing_of(const CompareUnit& unit) {
  Standing standing;
  standing.operator_text = unit.operator_text;
  standing.workload = unit.workload;
  standing.shapes = unit.shapes;
  standing.count = unit.count;
  return standing;
}

}  // namespace

std::vector<Standing> unit_standings(const CompareResult& result) {
  std::vector<const CompareUnit*> units;
  std::vector<Contest> contests;
  for (const Comparison& pair : result.comparisons) {
    for (const CompareUnit& unit : pair.units) {
      const auto known = std::ranges::find_if(
          units, [&](const CompareUnit* other) { return is_same_unit(*other, unit); });
      const auto index = static_cast<size_t>(known - units.begin());
      if (known == units.end()) {
        units.push_back(&unit);
        contests.emplace_back(result.sides.size());
      }
      contests[index].add(pair, unit);
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
  Contest contest(result.sides.size());
  for (const Comparison& pair : result.comparisons) contest.add(pair, pair.model);
  Standing standing;
  standing.operator_text = "model";
  contest.decide(standing);
  return standing;
}

std::string winner_text(const Standing& standing, const std::vector<std::string>& labels) {
  if (standing.winner) return printable(labels[*standing.winner]);
  if (standing.tied.empty()) return "?";
  if (standing.tied.size() == labels.size()) return "tie";
  std::vector<std::string> tied;
  for (const size_t side : standing.tied) tied.push_back(printable(labels[side]));
  return "tie: " + join(tied);
}

}  // namespace opbench
