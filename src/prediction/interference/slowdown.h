#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "measuring/results/statistics.h"

namespace opbench {

/// Seconds a call of two kernels in one round: each alone, and both side by side.
struct SlowdownRound {
  std::array<double, 2> solo_s{};
  std::array<double, 2> together_s{};
  bool operator==(const SlowdownRound&) const = default;
};

/// How much longer a call takes beside something else: time together over time alone. 1: it loses
/// nothing.
struct Slowdown {
  double ratio = 1;
  Interval interval{1, 1};  ///< 95 %
  int rounds = 0;           ///< behind it
  bool operator==(const Slowdown&) const = default;
};

/// Fewer rounds say nothing.
constexpr size_t kFewestRounds = 4;

/// Of one side, 0 or 1: the median over rounds of the ratio within a round, so that what slows the
/// machine for longer than a round cancels, with a block bootstrap interval. Rounds in the order
/// in which they were made. Nothing for fewer than kFewestRounds, or a time that is not above 0.
std::optional<Slowdown> slowdown_of(std::span<const SlowdownRound> rounds, size_t side,
                                    uint64_t seed);

/// Median seconds a call of one side alone; 0 without rounds.
double solo_seconds(std::span<const SlowdownRound> rounds, size_t side);

/// What two sides get done together in the time of one call alone each (system throughput, Eyerman
/// and Eeckhout 2008): 1/first + 1/second. 2 where they do not disturb each other, 1 where taking
/// turns would be as good.
double throughput_of(const Slowdown& first, const Slowdown& second);

}  // namespace opbench
