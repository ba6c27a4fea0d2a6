#include "presentation/web/series/series_marks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "measuring/results/statistics.h"
#include "watching/detectors/l1_segments.h"
#include "watching/detectors/l1_steps.h"
#include "watching/detectors/robust_sd.h"

namespace opbench {
namespace {

constexpr double kBand = 2;          // standard deviations on both sides of a level
constexpr size_t kMostFitted = 400;  // points at once: the fit takes the square of them
constexpr double kSmallest = 0.005;  // of ln(new / old): less is no change that anybody draws

/// The standard deviation of a level from point to point, which steps do not widen.
double noise_of_levels(const std::vector<double>& levels) {
  constexpr double kOfDifferences = 0.9539;  // 0.6745 * sqrt(2)
  std::vector<double> moves;
  for (size_t i = 1; i < levels.size(); ++i) moves.push_back(std::abs(levels[i] - levels[i - 1]));
  return moves.empty() ? 0 : median(moves) / kOfDifferences;
}

/// Where segments begin, of pieces that the fit can take; 0 is the first.
std::vector<size_t> begins_of(const std::vector<double>& levels, double noise) {
  std::vector<size_t> begins = {0};
  constexpr double kPrice = 0.8;  // as the detector l1
  for (size_t piece = 0; piece < levels.size(); piece += kMostFitted) {
    const auto part =
        std::span(levels).subspan(piece, std::min(kMostFitted, levels.size() - piece));
    if (piece > 0) begins.push_back(piece);
    if (part.size() < kL1Fewest) continue;
    const double gamma =
        4 * std::log(static_cast<double>(part.size())) * kPrice * std::max(noise, 1e-4);
    for (const size_t at : l1_segments(part, gamma, kL1Segment)) begins.push_back(piece + at);
  }
  return begins;
}

double median_of(const std::vector<double>& levels, size_t from, size_t to) {
  return median(std::vector<double>(levels.begin() + static_cast<std::ptrdiff_t>(from),
                                    levels.begin() + static_cast<std::ptrdiff_t>(to)));
}

/// Joins neighbours whose levels do not differ: the ends of pieces are no changes.
std::vector<size_t> without_small_steps(const std::vector<double>& levels,
                                        const std::vector<size_t>& begins, double noise) {
  std::vector<size_t> kept = {0};
  for (size_t i = 1; i < begins.size(); ++i) {
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : levels.size();
    const double before = median_of(levels, kept.back(), begins[i]);
    const double after = median_of(levels, begins[i], end);
    if (std::abs(after - before) > std::max(kSmallest, 2 * noise)) kept.push_back(begins[i]);
  }
  return kept;
}

}  // namespace

SeriesMarks marks_of(const std::vector<Json>& points) {
  std::vector<double> levels;
  std::vector<size_t> places;
  for (size_t i = 0; i < points.size(); ++i) {
    const Json& ms = points[i]["ms"];
    if (!ms.is_number() || ms.get<double>() <= 0) continue;
    levels.push_back(std::log(ms.get<double>()));
    places.push_back(i);
  }
  SeriesMarks marks{.noise = noise_of_levels(levels)};
  if (levels.size() < 2) return marks;
  const std::vector<size_t> begins =
      without_small_steps(levels, begins_of(levels, marks.noise), marks.noise);
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t end = i + 1 < begins.size() ? begins[i + 1] : levels.size();
    const std::vector<double> own(levels.begin() + static_cast<std::ptrdiff_t>(begins[i]),
                                  levels.begin() + static_cast<std::ptrdiff_t>(end));
    marks.segments.push_back({.from = places[begins[i]],
                              .to = places[end - 1],
                              .level = median(own),
                              .sd = std::max(robust_sd(own), marks.noise / 2)});
  }
  return marks;
}

Json segments_json(const SeriesMarks& marks) {
  Json list = Json::array();
  for (const LevelSegment& segment : marks.segments) {
    list.push_back({{"from", segment.from},
                    {"to", segment.to},
                    {"level_ms", std::exp(segment.level)},
                    {"low_ms", std::exp(segment.level - kBand * segment.sd)},
                    {"high_ms", std::exp(segment.level + kBand * segment.sd)}});
  }
  return list;
}

Json changes_json(const SeriesMarks& marks) {
  Json list = Json::array();
  for (size_t i = 1; i < marks.segments.size(); ++i) {
    const LevelSegment& before = marks.segments[i - 1];
    const LevelSegment& after = marks.segments[i];
    const double size = after.level - before.level;
    const double error =
        std::hypot(before.sd / std::sqrt(static_cast<double>(before.to - before.from + 1)),
                   after.sd / std::sqrt(static_cast<double>(after.to - after.from + 1)));
    list.push_back({{"at", after.from},
                    {"change_pct", 100 * std::expm1(size)},
                    {"z", std::abs(size) / std::max(error, 1e-6)}});
  }
  return list;
}

Json breaks_json(const std::vector<Json>& points) {
  Json list = Json::array();
  for (const auto& [member, what] :
       {std::pair("surroundings", "environment"), std::pair("method", "method")}) {
    Json before;
    for (size_t i = 0; i < points.size(); ++i) {
      const Json& now = points[i][member];
      if (now.is_null()) continue;
      if (!before.is_null() && now != before) {
        const bool is_hash = points[i]["is_hash"] == true && std::string(what) == "environment";
        const std::string text =
            is_hash ? "other software"
                    : fmt::format("{} → {}", before.get<std::string>(), now.get<std::string>());
        list.push_back({{"at", i}, {"what", what}, {"text", text}});
      }
      before = now;
    }
  }
  return list;
}

}  // namespace opbench
