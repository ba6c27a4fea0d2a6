#include "watching/nights/lineage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "watching/nights/level_update.h"

namespace opbench {
namespace {

constexpr int kLastSeen = 6;  ///< nights ago at most, of a unit that another one replaces

bool is_part_of(const Series& part, const Series& whole) {
  if (part.nodes.empty() || part.engine != whole.engine || part.model != whole.model) return false;
  return std::ranges::all_of(part.nodes, [&](const std::string& node) {
    return std::ranges::find(whole.nodes, node) != whole.nodes.end();
  });
}

size_t nodes_of(const WatchState& state, const std::vector<int>& rows) {
  std::set<std::string> nodes;
  for (const int row : rows) {
    const auto& own = state.series[static_cast<size_t>(row)].nodes;
    nodes.insert(own.begin(), own.end());
  }
  return nodes.size();
}

/// Units that ended and whose nodes make up those of `row`; none where they do not.
std::vector<int> parts_of(const WatchState& state, int row, const std::set<int>& tonight) {
  const Series& whole = state.series[static_cast<size_t>(row)];
  const auto now = static_cast<int>(state.nights.size()) - 1;
  std::vector<int> parts;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    const WatchedRow& other = state.rows[i];
    const auto place = static_cast<int>(i);
    if (place == row || other.points.empty() || other.is_replaced || tonight.contains(place))
      continue;
    if (other.points.back().night < now - kLastSeen || !is_part_of(state.series[i], whole))
      continue;
    parts.push_back(place);
  }
  if (nodes_of(state, parts) != std::set(whole.nodes.begin(), whole.nodes.end()).size()) return {};
  return parts;
}

/// The sum of what units took in the nights that have them all.
void join_parts(WatchState& state, const std::vector<int>& parts, WatchedRow& joined) {
  const WatchedRow& first = state.rows[static_cast<size_t>(parts[0])];
  for (size_t i = first.base; i < first.points.size(); ++i) {
    LevelPoint point = first.points[i];
    double level = 0, time = 0;
    size_t found = 0;
    for (const int part : parts) {
      const WatchedRow& row = state.rows[static_cast<size_t>(part)];
      const auto at = std::ranges::lower_bound(row.points, point.night, {}, &LevelPoint::night);
      if (at == row.points.end() || at->night != point.night) break;
      ++found;
      level += std::exp(at->level);
      time += std::exp(row.times[static_cast<size_t>(at - row.points.begin())]);
      point.is_rebuilt = point.is_rebuilt || at->is_rebuilt;
      point.boundary_sd = std::max(point.boundary_sd, at->boundary_sd);
    }
    if (found != parts.size()) continue;
    point.level = std::log(level);
    joined.points.push_back(point);
    joined.times.push_back(std::log(time));
  }
}

void inherit(WatchState& state, int place, const std::vector<int>& parts) {
  WatchedRow joined;
  joined.is_fused = true;
  join_parts(state, parts, joined);
  double weight = 0;
  joined.share = 0;
  for (const int part : parts) {
    WatchedRow& row = state.rows[static_cast<size_t>(part)];
    const double own = std::exp(row.points.back().level);
    joined.share += own * row.share;
    weight += own;
    joined.hash += row.hash;
    joined.boundary_sd = std::max(joined.boundary_sd, row.boundary_sd);
    row.is_replaced = true;
  }
  joined.share /= weight;
  if (joined.points.empty()) return;
  const double common = state.nights[static_cast<size_t>(joined.points.back().night)].common;
  joined.spreads = state.rows[static_cast<size_t>(parts[0])].spreads;
  joined.carry = joined.times.back() - joined.points.back().level - joined.share * common;
  joined.noise = noise_of(joined);
  const MeasuredNight& now = state.nights.back();
  std::string names;
  for (const int part : parts) {
    names += (names.empty() ? "" : " and ") + state.series[static_cast<size_t>(part)].id;
  }
  state.notes.push_back(fmt::format("{}: {} goes on where {} ended: it covers the same nodes",
                                    now.date.empty() ? std::to_string(now.index) : now.date,
                                    state.series[static_cast<size_t>(place)].id, names));
  state.rows[static_cast<size_t>(place)] = std::move(joined);
}

/// Whether tonight's rows of the same engine and model cover all nodes of one that ended, and one
/// of them is new.
bool is_regrouped_tonight(const WatchState& state, const Series& ended, const Night& night) {
  std::set<std::string> left(ended.nodes.begin(), ended.nodes.end());
  bool has_new = false;
  for (const NightRow& row : night.rows) {
    const auto at = static_cast<size_t>(row.series);
    const Series& other = state.series[at];
    if (other.engine != ended.engine || other.model != ended.model) continue;
    for (const std::string& node : other.nodes) {
      if (left.erase(node) > 0) has_new = has_new || state.rows[at].points.empty();
    }
  }
  return left.empty() && has_new;
}

/// Rows whose nodes fusion gave to others, in another way than that one took them all.
void find_regrouped(WatchState& state, const std::set<int>& tonight, const Night& night) {
  std::string names;
  int count = 0;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    WatchedRow& row = state.rows[i];
    const bool is_there = tonight.contains(static_cast<int>(i));
    if (is_there || row.points.empty() || row.is_replaced || row.is_regrouped) continue;
    if (state.series[i].nodes.empty()) continue;
    if (!is_regrouped_tonight(state, state.series[i], night)) continue;
    row.is_regrouped = true;
    names += (count++ == 0 ? "" : " and ") + state.series[i].id;
  }
  if (count == 0) return;
  const MeasuredNight& now = state.nights.back();
  state.notes.push_back(fmt::format("{}: {} ended: other units cover {} nodes now",
                                    now.date.empty() ? std::to_string(now.index) : now.date, names,
                                    count == 1 ? "its" : "their"));
}

}  // namespace

void inherit_history(WatchState& state, const Night& night) {
  std::set<int> tonight;
  for (const NightRow& row : night.rows) tonight.insert(row.series);
  for (const NightRow& row : night.rows) {
    const auto at = static_cast<size_t>(row.series);
    if (!state.rows[at].points.empty() || state.series[at].nodes.empty()) continue;
    const std::vector<int> parts = parts_of(state, row.series, tonight);
    if (!parts.empty()) inherit(state, row.series, parts);
  }
  find_regrouped(state, tonight, night);
}

}  // namespace opbench
