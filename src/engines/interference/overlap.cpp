#include "engines/interference/overlap.h"

#include <algorithm>
#include <vector>

namespace opbench {
namespace {

struct Span {
  double begin = 0, end = 0;
};

/// When the side's thread was perhaps switched out: also between two turns.
std::vector<Span> disturbances(std::span<const CorunTurn> turns) {
  std::vector<Span> spans;
  for (size_t i = 0; i < turns.size(); ++i) {
    if (!turns[i].is_disturbed) continue;
    spans.push_back({i == 0 ? turns[i].begin : turns[i - 1].end, turns[i].end});
  }
  return spans;
}

std::optional<TurnMean> mean_of(std::span<const CorunTurn> turns, int64_t number, const Span& both,
                                const std::vector<Span>& disturbed) {
  double sum = 0;
  int64_t count = 0;
  for (const CorunTurn& turn : turns) {
    const bool meets_disturbance = std::ranges::any_of(disturbed, [&](const Span& span) {
      return span.begin < turn.end && turn.begin < span.end;
    });
    const bool is_inside = turn.begin >= both.begin && turn.end <= both.end;
    if (turn.is_disturbed || meets_disturbance || !is_inside) continue;
    sum += turn.end - turn.begin;
    ++count;
  }
  if (count < kFewestTurns) return std::nullopt;
  const int64_t calls = count * number;
  return TurnMean{sum / static_cast<double>(calls), calls};
}

}  // namespace

std::optional<TurnMean> mean_alone(std::span<const CorunTurn> turns, int64_t number) {
  if (turns.empty()) return std::nullopt;
  return mean_of(turns, number, {turns.front().begin, turns.back().end}, {});
}

std::optional<std::array<TurnMean, 2>> means_together(
    const std::array<std::span<const CorunTurn>, 2>& turns, const std::array<int64_t, 2>& numbers) {
  if (turns[0].empty() || turns[1].empty()) return std::nullopt;
  const Span both{std::max(turns[0].front().begin, turns[1].front().begin),
                  std::min(turns[0].back().end, turns[1].back().end)};
  const auto first = mean_of(turns[0], numbers[0], both, disturbances(turns[1]));
  const auto second = mean_of(turns[1], numbers[1], both, disturbances(turns[0]));
  if (!first || !second) return std::nullopt;
  return std::array{*first, *second};
}

}  // namespace opbench
