#include <algorithm>
#include <array>
#include <cmath>

#include "measuring/results/statistics.h"
#include "watching/detectors/detector.h"
#include "watching/detectors/two_sample_tests.h"
#include "watching/detectors/window_sums.h"

namespace opbench {
namespace {

constexpr size_t kVoteBefore = 12;
constexpr size_t kVoteAfter = 4;
constexpr size_t kVotePlaces = 3;  ///< neighbouring nights that are looked at together
constexpr double kVoteP = 0.005;
constexpr size_t kVotesNeeded = 3;
constexpr double kVoteChange = 0.02;

using Places = std::array<double, kVotePlaces>;

std::vector<double> levels_between(const LevelView& view, size_t begin, size_t end) {
  std::vector<double> levels;
  for (size_t i = begin; i < end; ++i) levels.push_back(view.points[i].level);
  return levels;
}

/// Where a test is surest, of those that are sure; kVotePlaces: nowhere.
size_t place_of(const Places& p) {
  const auto best = std::ranges::min_element(p);
  return *best < kVoteP ? static_cast<size_t>(best - p.begin()) : kVotePlaces;
}

/// Three of five tests that agree within one night.
std::vector<LevelStep> voted_steps(const LevelView& view) {
  const size_t count = view.points.size();
  if (count < view.base + kVoteBefore + kVoteAfter + kVotePlaces) return {};
  const size_t first = count - kVoteAfter - kVotePlaces + 1;
  std::array<Places, two_sample_tests().size()> p;
  for (size_t place = 0; place < kVotePlaces; ++place) {
    const size_t at = first + place;
    const std::vector<double> before = levels_between(view, at - kVoteBefore, at);
    const std::vector<double> after = levels_between(view, at, std::min(count, at + kVoteBefore));
    for (size_t test = 0; test < p.size(); ++test) {
      p[test][place] = two_sample_tests()[test](before, after);
    }
  }
  size_t votes = 0;
  double sum = 0;
  for (size_t middle_place = 0; middle_place < kVotePlaces && votes < kVotesNeeded;
       ++middle_place) {
    votes = 0;
    sum = 0;
    for (const Places& of_test : p) {
      const size_t place = place_of(of_test);
      if (place == kVotePlaces || place + 1 < middle_place || place > middle_place + 1) continue;
      ++votes;
      sum += static_cast<double>(place);
    }
  }
  if (votes < kVotesNeeded) return {};
  LevelStep step{.at = first + static_cast<size_t>(std::lround(sum / static_cast<double>(votes)))};
  step.size = median(levels_between(view, step.at, count)) -
              median(levels_between(view, step.at - kVoteBefore, step.at));
  step.sd = view.noise * std::sqrt(1.57 / kVoteBefore + 1.57 / kVoteAfter);
  step.z = static_cast<double>(votes);
  if (std::abs(step.size) < kVoteChange) return {};
  return {step};
}

}  // namespace

DetectorDef vote_detector() {
  return {.name = "vote",
          .summary = "three of five two-sample tests agree within one night, 12 and 4 nights",
          .threshold = kVotesNeeded,
          .sure = kVotesNeeded,
          .delay = static_cast<int>(kVoteAfter + kVotePlaces),
          .find = voted_steps};
}

}  // namespace opbench
