#include "benchmarks/verdicts/exchanged_sides.h"

#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "measuring/sampling/paired_rounds.h"

namespace opbench {
namespace {

/// The places in an item of a row's sides that run the same code.
std::vector<size_t> equal_places(const CompareRow& row, bool is_same_code) {
  std::vector<size_t> places;
  if (row.place.front()) places.push_back(*row.place.front());
  if (is_same_code && row.place.at(1)) places.push_back(*row.place[1]);
  if (row.control) places.push_back(*row.control);
  return places;
}

/// The same for every item that has as many such places.
std::vector<size_t> order_in(int process, size_t count, uint64_t seed) {
  Random random(seed, std::to_string(process));
  return random.shuffled(count);
}

void exchange(const std::vector<size_t>& places, uint64_t seed, PairedTimes& times) {
  for (PairedRound& round : times.made) {
    const std::vector<double> measured = round.log_s;
    const std::vector<size_t> order = order_in(round.process, places.size(), seed);
    for (size_t i = 0; i < places.size(); ++i) {
      round.log_s[places[i]] = measured[places[order[i]]];
    }
  }
  const std::vector<PairedRound> usable = usable_rounds(times.made);
  for (size_t side = 0; side < times.log_ratios.size(); ++side) {
    times.log_ratios[side] = log_ratio_of(usable, side + 1, seed);
  }
}

}  // namespace

PairedResult exchange_sides(const ComparePlan& plan, PairedResult times, bool is_same_code,
                            uint64_t seed) {
  for (const CompareRow& row : plan.rows) {
    if (!row.item || !times.items[*row.item].times) continue;
    exchange(equal_places(row, is_same_code), seed, *times.items[*row.item].times);
  }
  return times;
}

}  // namespace opbench
