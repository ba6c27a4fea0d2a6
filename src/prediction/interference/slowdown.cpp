#include "prediction/interference/slowdown.h"

#include <vector>

namespace opbench {

std::optional<Slowdown> slowdown_of(std::span<const SlowdownRound> rounds, size_t side,
                                    uint64_t seed) {
  if (rounds.size() < kFewestRounds) return std::nullopt;
  std::vector<double> ratios;
  for (const SlowdownRound& round : rounds) {
    const bool is_known = round.solo_s.at(side) > 0 && round.together_s.at(side) > 0;
    if (!is_known) return std::nullopt;
    ratios.push_back(round.together_s[side] / round.solo_s[side]);
  }
  return Slowdown{median(ratios), block_bootstrap_interval(ratios, seed),
                  static_cast<int>(ratios.size())};
}

double solo_seconds(std::span<const SlowdownRound> rounds, size_t side) {
  std::vector<double> seconds;
  for (const SlowdownRound& round : rounds) seconds.push_back(round.solo_s.at(side));
  return median(seconds);
}

double throughput_of(const Slowdown& first, const Slowdown& second) {
  return 1 / first.ratio + 1 / second.ratio;
}

}  // namespace opbench
