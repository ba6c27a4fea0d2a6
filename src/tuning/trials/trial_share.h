#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Which of a model's searches gets the next trials: the one from which most of the model's time is
/// expected to be saved a second.
namespace opbench {

/// How a search stands. Searches of one unit compete: the unit takes the best of them.
struct SearchStanding {
  size_t unit = 0;
  int64_t uses = 1;              ///< of the unit in the model
  std::optional<double> best_s;  ///< of the search; nothing: no config works so far
  int64_t trials = 0;
  double trial_s = 0;         ///< what a trial takes
  std::vector<double> gains;  ///< by how much each slice of trials lowered best_s, 0 to 1
  bool is_finished = false;   ///< no trial is left
};

/// Trials in a slice.
constexpr int64_t kSlice = 16;

/// Seconds that a search needs after its trials, to measure its winner with the default config
/// beside it.
constexpr double kWinnerSeconds = 1.6;

/// Of a budget for all searches, what the winners of the units that have one need, and that of one
/// more; at most half of it, so that there is time for trials.
double winners_share(const std::vector<SearchStanding>& searches, double budget_s);

/// Of a budget for one search, what is left for its trials: at least half of it.
double trials_share(double budget_s);

/// The search whose turn it is: one without trials, then that with the largest expected saving a
/// second. A search is expected to go on as its last slices did, and at first, or when those
/// brought nothing, to have some luck, half as much with every slice. Nothing when all are
/// finished, or a slice of every unit would save less than half a percent of the model.
std::optional<size_t> next_search(const std::vector<SearchStanding>& searches);

}  // namespace opbench
