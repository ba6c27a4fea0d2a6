#include "watching/nights/chain_effect.h"

#include <algorithm>
#include <cmath>

#include "measuring/results/statistics.h"
#include "watching/nights/question_update.h"

namespace opbench {
namespace {

constexpr size_t kChainNights = 10;  ///< before a change, that say what a unit took

/// What a unit of the chain took before, and how much that changed with the build in question.
struct ChainUnit {
  double before = 0;
  double change = 0;
  double sd = 0;  ///< of the change
  bool is_rebuilt = false;
};

ChainUnit chain_unit(const WatchedRow& row, int good, int bad) {
  std::vector<double> before, after;
  ChainUnit unit;
  for (size_t i = row.points.size(); i-- > 0 && before.size() < kChainNights;) {
    const LevelPoint& point = row.points[i];
    if (point.night > good)
      unit.is_rebuilt = unit.is_rebuilt || (point.is_rebuilt && point.night <= bad);
    (point.night > good ? after : before).push_back(point.level);
  }
  if (before.empty()) return unit;
  const double level = median(before);
  unit.before = std::exp(level);
  if (after.empty()) {  // it was not measured since: nobody knows
    unit.is_rebuilt = true;
    unit.sd = unit.before;
    return unit;
  }
  unit.change = unit.before * std::expm1(median(after) - level);
  unit.sd = unit.before * row.noise * 1.2;
  return unit;
}

}  // namespace

ChainEffect chain_effect(const WatchState& state, const Question& question, double size) {
  const Series& own = state.series[static_cast<size_t>(question.row)];
  if (own.chain.empty()) return {};
  const int good = good_night(state, question);
  const int bad = bad_night(state, question);
  double total = 0, others = 0, variance = 0, own_change = 0;
  bool is_other_rebuilt = false;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    const Series& series = state.series[i];
    if (series.engine != own.engine || series.chain != own.chain || state.rows[i].is_replaced)
      continue;
    const ChainUnit unit = chain_unit(state.rows[i], good, bad);
    total += unit.before;
    if (static_cast<int>(i) == question.row) {
      own_change = unit.before * std::expm1(size);
    } else if (unit.is_rebuilt) {
      is_other_rebuilt = true;
      others += unit.change;
      variance += unit.sd * unit.sd;
    }
  }
  if (total <= 0 || own_change <= -total) return {};
  const double against = own_change > 0 ? -others : others;
  return {.expected = std::log1p(own_change / total),
          .may_be_moved =
              is_other_rebuilt && against + 2 * std::sqrt(variance) >= std::abs(own_change) / 2};
}

}  // namespace opbench
