#include "measuring/sampling/item_state.h"

#include <algorithm>
#include <utility>

#include "measuring/results/estimate.h"

namespace opbench {

void SampledPlace::mark_warm_up(size_t keep) {
  size_t first = samples.size();
  for (size_t clean = 0; first > 0 && clean < keep;) {
    --first;
    clean += samples[first].flag.empty() ? 1U : 0U;
  }
  for (size_t i = 0; i < first; ++i) samples[i].flag = "warm_up";
}

bool ItemState::is_untouched() const {
  return std::ranges::all_of(places,
                             [](const SampledPlace& place) { return place.samples.empty(); });
}

Measurement ItemState::estimate_now(uint64_t seed) const {
  std::vector<Sample> samples;
  bool steady = true;
  for (const SampledPlace& place : places) {
    samples.insert(samples.end(), place.samples.begin(), place.samples.end());
    steady = steady && place.steady;
  }
  Measurement result = estimate(std::move(samples), seed);
  result.steady = result.steady && steady;
  result.number = number;
  return result;
}

}  // namespace opbench
