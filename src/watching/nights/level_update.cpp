#include "watching/nights/level_update.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "measuring/results/statistics.h"
#include "watching/detectors/robust_sd.h"

namespace opbench {
namespace {

constexpr size_t kLevelNights = 10;  ///< that make a row's own level
constexpr size_t kFewestOfLevel = 3;
constexpr int kUnchangedNights = 6;  ///< a row is a reference from then on
constexpr size_t kFewestReferences = 10;
constexpr size_t kFewestOfEngine = 5;
constexpr size_t kNoiseNights = 60;
constexpr size_t kFewestOfNoise = 8;
constexpr double kSmallestNoise = 0.0015;
constexpr double kFirstNoise = 0.03;
constexpr size_t kSpreadNights = 20;
constexpr double kWideSpread = 2.5;  ///< times the usual one: something was beside it
constexpr double kShareSd = 0.3;     ///< of rows' shares in the common move around 1

/// What one row gave tonight.
struct TonightRow {
  int row = 0;
  double time = 0;    ///< ln of the median
  double spread = 0;  ///< of the samples' ln
  bool is_rebuilt = false;
};

/// The level of the last nights; nothing before there are enough.
std::optional<double> own_level(const WatchedRow& row) {
  const size_t count =
      std::min(kLevelNights, row.points.size() - std::min(row.base, row.points.size()));
  if (count < kFewestOfLevel) return std::nullopt;
  std::vector<double> levels;
  for (size_t i = row.points.size() - count; i < row.points.size(); ++i) {
    levels.push_back(row.points[i].level);
  }
  return median(levels);
}

/// How much a row is above its own level, with the part of the machine still in it.
std::optional<double> move_of(const WatchedRow& row, double time) {
  const std::optional<double> level = own_level(row);
  if (!level) return std::nullopt;
  return time - row.carry - *level;
}

/// Sets the common move of the last night, and who says so.
void find_common_move(WatchState& state, const std::vector<TonightRow>& tonight,
                      double last_common) {
  MeasuredNight& now = state.nights.back();
  std::vector<double> moves;
  std::set<std::string> controls, others;
  for (const TonightRow& given : tonight) {
    const auto at = static_cast<size_t>(given.row);
    const WatchedRow& row = state.rows[at];
    const bool is_reference = state.series[at].is_control ||
                              (row.unchanged_nights >= kUnchangedNights && !row.hash.empty());
    if (!is_reference || given.is_rebuilt) continue;
    const auto move = move_of(row, given.time);
    if (!move) continue;
    moves.push_back(*move);
    (state.series[at].is_control ? controls : others).insert(state.series[at].engine);
  }
  now.common = last_common;
  if (moves.size() < kFewestReferences) return;
  now.common = median(moves);
  now.common_engines.assign(controls.begin(), controls.end());
  now.common_engines.insert(now.common_engines.end(), others.begin(), others.end());
}

/// How far a row moved at a boundary.
struct BoundaryMove {
  const std::string* engine = nullptr;
  double move = 0;
  bool is_kept = false;  ///< the same code ran before and after
};

std::vector<BoundaryMove> boundary_moves(const WatchState& state,
                                         const std::vector<TonightRow>& tonight,
                                         double last_common) {
  std::vector<BoundaryMove> moves;
  for (const TonightRow& given : tonight) {
    const auto at = static_cast<size_t>(given.row);
    const WatchedRow& row = state.rows[at];
    const auto move = move_of(row, given.time);
    if (!move) continue;
    moves.push_back({&state.series[at].engine, *move - row.share * last_common, !given.is_rebuilt});
  }
  return moves;
}

/// The moves of an engine, or of all where none is named.
std::vector<double> moves_of(const std::vector<BoundaryMove>& moves, const std::string* engine,
                             bool is_kept_alone) {
  std::vector<double> chosen;
  for (const BoundaryMove& move : moves) {
    if (engine != nullptr && *move.engine != *engine) continue;
    if (move.is_kept || !is_kept_alone) chosen.push_back(move.move);
  }
  return chosen;
}

struct EngineShift {
  double shift = 0;
  double sd = 0;
};

/// How far an engine's rows moved, and how differently: as rows that run the same code say, else as
/// those of other engines say. Rows that were rebuilt may have changed there for reasons of their
/// own.
EngineShift shift_of(const std::vector<BoundaryMove>& moves, const std::string& engine) {
  std::vector<double> of_engine = moves_of(moves, &engine, true);
  if (of_engine.size() >= kFewestOfEngine) {
    const double sd = robust_sd(of_engine);
    return {median(of_engine), std::max(sd, kSmallestNoise)};
  }
  of_engine = moves_of(moves, &engine, false);
  if (of_engine.size() < kFewestOfEngine) of_engine = moves_of(moves, nullptr, false);
  if (of_engine.empty()) return {0, kFirstNoise};
  std::vector<double> rests;
  std::set<std::string> engines;
  for (const BoundaryMove& move : moves) engines.insert(*move.engine);
  for (const std::string& other : engines) {
    const std::vector<double> kept = moves_of(moves, &other, true);
    if (kept.size() < kFewestOfEngine) continue;
    const double center = median(kept);
    for (const double move : kept) rests.push_back(move - center);
  }
  const double sd = rests.empty() ? std::min(robust_sd(of_engine), kFirstNoise) : robust_sd(rests);
  return {median(of_engine), std::max(sd, kSmallestNoise)};
}

void carry_over(WatchState& state, const std::vector<TonightRow>& tonight, double last_common) {
  const std::vector<BoundaryMove> moves = boundary_moves(state, tonight, last_common);
  std::set<std::string> engines;
  for (const Series& series : state.series) engines.insert(series.engine);
  std::string text;
  for (const std::string& engine : engines) {
    const EngineShift shift = shift_of(moves, engine);
    for (size_t i = 0; i < state.rows.size(); ++i) {
      if (state.series[i].engine != engine) continue;
      state.rows[i].carry += shift.shift;
      state.rows[i].boundary_sd = std::hypot(state.rows[i].boundary_sd, shift.sd);
    }
    text += fmt::format("{}{} {:+.1f} %", text.empty() ? "" : ", ", engine.empty() ? "all" : engine,
                        100 * std::expm1(shift.shift));
  }
  const MeasuredNight& now = state.nights.back();
  const MeasuredNight& before = state.nights[state.nights.size() - 2];
  const bool is_method = now.environment == before.environment;
  state.notes.push_back(
      fmt::format("{}: new {} {} (was {}): levels are carried over by what each engine moved: {}",
                  now.date.empty() ? std::to_string(now.index) : now.date,
                  is_method ? "method" : "environment", is_method ? now.method : now.environment,
                  is_method ? before.method : before.environment, text));
}

/// Bayes' estimate: neighbouring nights say how much of the common move a row shows.
void learn_share(WatchedRow& row, double time_move, double common_move_of_night) {
  const double rest = time_move - row.share * common_move_of_night;
  if (std::abs(rest) > 4 * std::numbers::sqrt2 * row.noise) return;
  row.share_xy += time_move * common_move_of_night;
  row.share_xx += common_move_of_night * common_move_of_night;
  const double prior = 2 * row.noise * row.noise / (kShareSd * kShareSd);
  row.share = std::clamp((row.share_xy + prior) / (row.share_xx + prior), 0.2, 2.0);
}

double spread_of(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return robust_sd(logs);
}

double doubt_of(const WatchedRow& row, double spread) {
  const size_t count = std::min(kSpreadNights, row.spreads.size());
  if (count < kFewestOfLevel) return 0;
  const double usual = median(std::vector<double>(
      row.spreads.end() - static_cast<std::ptrdiff_t>(count), row.spreads.end()));
  return usual > 0 && spread > kWideSpread * usual ? spread : 0;
}

void append_point(WatchState& state, const TonightRow& given, const std::string& hash) {
  WatchedRow& row = state.rows[static_cast<size_t>(given.row)];
  const auto place = static_cast<int>(state.nights.size()) - 1;
  const double common = state.nights.back().common;
  const LevelPoint point{.night = place,
                         .level = given.time - row.carry - row.share * common,
                         .is_rebuilt = given.is_rebuilt,
                         .doubt = doubt_of(row, given.spread),
                         .boundary_sd = row.boundary_sd,
                         .is_filled = state.nights.back().is_filled};
  const bool is_next = !row.points.empty() && !given.is_rebuilt && point.boundary_sd == 0;
  if (is_next) {
    const double before = state.nights[static_cast<size_t>(row.points.back().night)].common;
    learn_share(row, given.time - row.times.back(), common - before);
  }
  row.points.push_back(point);
  row.times.push_back(given.time);
  row.spreads.push_back(given.spread);
  row.boundary_sd = 0;
  row.hash = hash;
  row.unchanged_nights = given.is_rebuilt ? 0 : row.unchanged_nights + 1;
  row.noise = noise_of(row);
  row.is_regrouped = false;
  row.missing_since = -1;
  row.missing_nights = 0;
}

}  // namespace

double noise_of(const WatchedRow& row) {
  if (row.points.size() < kFewestOfNoise) return kFirstNoise;
  std::vector<double> moves;
  const size_t begin = row.points.size() > kNoiseNights ? row.points.size() - kNoiseNights : 1;
  for (size_t i = std::max<size_t>(begin, 1); i < row.points.size(); ++i) {
    if (row.points[i].boundary_sd > 0) continue;
    moves.push_back(std::abs(row.points[i].level - row.points[i - 1].level));
  }
  if (moves.empty()) return kFirstNoise;
  return std::max(kSmallestNoise, kDeviationOfMedian * median(moves) / std::numbers::sqrt2);
}

void append_levels(WatchState& state, const Night& night) {
  std::vector<TonightRow> tonight;
  for (const NightRow& given : night.rows) {
    const WatchedRow& row = state.rows[static_cast<size_t>(given.series)];
    state.has_hashes = state.has_hashes || !given.hash.empty();
    tonight.push_back({.row = given.series,
                       .time = std::log(median(given.values)),
                       .spread = spread_of(given.values),
                       .is_rebuilt = !row.points.empty() && given.hash != row.hash});
  }
  MeasuredNight& now = state.nights.back();
  const double last = state.nights.size() < 2 ? 0 : state.nights[state.nights.size() - 2].common;
  if (now.starts_segment) {
    carry_over(state, tonight, last);
    now.common = last;
  } else {
    find_common_move(state, tonight, last);
  }
  for (size_t i = 0; i < tonight.size(); ++i) append_point(state, tonight[i], night.rows[i].hash);
  state.measured_rows += static_cast<int64_t>(tonight.size());
}

}  // namespace opbench
