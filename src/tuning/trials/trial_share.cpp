#include "tuning/trials/trial_share.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace opbench {
namespace {

constexpr double kLuck = 0.2;          // by how much the first slice may lower a time
constexpr double kWorthwhile = 0.005;  // of the model's time

/// Part of a search's best time that its next slice is expected to take away.
double expected_gain(const SearchStanding& search) {
  double recent = 0;
  double weight = 0.5;
  for (auto gain = search.gains.rbegin(); gain != search.gains.rend(); ++gain, weight /= 2) {
    recent += weight * *gain;
  }
  return std::max(recent, kLuck * std::exp2(-static_cast<double>(search.gains.size())));
}

/// Of every unit with a config that works.
std::map<size_t, double> best_of_units(const std::vector<SearchStanding>& searches) {
  std::map<size_t, double> best_s;
  for (const SearchStanding& search : searches) {
    if (!search.best_s) continue;
    const auto [unit, is_new] = best_s.try_emplace(search.unit, *search.best_s);
    if (!is_new) unit->second = std::min(unit->second, *search.best_s);
  }
  return best_s;
}

/// Seconds that the model is expected to lose by a slice for this search.
double saving(const SearchStanding& search, const std::map<size_t, double>& best_s) {
  if (search.is_finished || !search.best_s) return 0;
  const double hoped_s = *search.best_s * (1 - expected_gain(search));
  const double less_s = best_s.at(search.unit) - hoped_s;
  return std::max(0.0, less_s) * static_cast<double>(search.uses);
}

}  // namespace

double winners_share(const std::vector<SearchStanding>& searches, double budget_s) {
  const auto winners = static_cast<double>(best_of_units(searches).size() + 1);
  return std::min(kWinnerSeconds * winners, budget_s / 2);
}

double trials_share(double budget_s) { return std::max(budget_s - kWinnerSeconds, budget_s / 2); }

std::optional<size_t> next_search(const std::vector<SearchStanding>& searches) {
  const auto fresh = std::ranges::find_if(searches, [](const SearchStanding& search) {
    return search.trials == 0 && !search.is_finished;
  });
  if (fresh != searches.end()) return static_cast<size_t>(fresh - searches.begin());
  const std::map<size_t, double> best_s = best_of_units(searches);
  std::map<size_t, double> savings;
  std::map<size_t, double> totals;
  std::optional<size_t> chosen;
  double most = 0;
  for (size_t i = 0; i < searches.size(); ++i) {
    const double saved_s = saving(searches[i], best_s);
    const size_t unit = searches[i].unit;
    savings[unit] = std::max(savings[unit], saved_s);
    if (best_s.contains(unit)) {
      totals[unit] = best_s.at(unit) * static_cast<double>(searches[i].uses);
    }
    const double rate = saved_s / std::max(searches[i].trial_s, 1e-6);
    if (rate <= most) continue;
    most = rate;
    chosen = i;
  }
  double all_savings = 0;
  double model = 0;
  for (const auto& [unit, saved_s] : savings) all_savings += saved_s;
  for (const auto& [unit, total_s] : totals) model += total_s;
  if (all_savings < kWorthwhile * model) return std::nullopt;
  return chosen;
}

}  // namespace opbench
