#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace opbench {

/// Some calls in a row, timed together. Seconds since some moment.
struct CorunTurn {
  double begin = 0, end = 0;
  bool is_disturbed = false;  ///< its thread was switched out since the turn before it ended
};

/// Seconds a call of a side, and over how many.
struct TurnMean {
  double call_s = 0;
  int64_t calls = 0;
  bool operator==(const TurnMean&) const = default;
};

/// A mean is over so many turns at least.
constexpr int64_t kFewestTurns = 2;

/// The mean over all undisturbed turns of `number` calls; nothing for fewer than kFewestTurns.
std::optional<TurnMean> mean_alone(std::span<const CorunTurn> turns, int64_t number);

/// The same of two sides that ran together, over turns in which neither was disturbed and that lie
/// wholly between the later of both begins and the earlier of both ends. Nothing where a side has
/// fewer than kFewestTurns of them.
std::optional<std::array<TurnMean, 2>> means_together(
    const std::array<std::span<const CorunTurn>, 2>& turns, const std::array<int64_t, 2>& numbers);

}  // namespace opbench
