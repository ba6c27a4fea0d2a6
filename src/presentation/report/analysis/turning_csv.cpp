#include <optional>

#include "presentation/report/analysis/turning_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::vector<std::string> cells_of(const TurningSeries& series) {
  std::vector<std::string> cells = {series.axis, series.name, std::to_string(series.curve.size())};
  const auto add = [&](std::optional<double> value) { cells.push_back(exact_text(value)); };
  const auto add_place = [&](const Place TurningPoint::*place) {
    for (const double Place::*part : {&Place::x, &Place::low, &Place::high}) {
      add(series.point ? std::optional((*series.point).*place.*part) : std::nullopt);
    }
  };
  add_place(&TurningPoint::best);
  add_place(&TurningPoint::enough);
  add_place(&TurningPoint::enough_fitted);
  add(series.point ? series.point->marginal : std::nullopt);
  const Knee* knee = series.point ? &series.point->knee : nullptr;
  cells.emplace_back(knee == nullptr ? "" : name_of(knee->kind));
  const bool has_knee = knee != nullptr && knee->exists();
  for (const double Knee::*part : {&Knee::last, &Knee::low, &Knee::high}) {
    add(has_knee ? std::optional(knee->*part) : std::nullopt);
  }
  add(knee == nullptr ? std::nullopt : std::optional(knee->gain));
  cells.emplace_back(series.point ? name_of(series.point->forms.front().form) : "");
  cells.push_back(series.probe_order.empty() ? "" : std::to_string(series.probe_order.size()));
  add(series.regret);
  cells.push_back(knee == nullptr ? series.failure : knee->reason);
  return cells;
}

}  // namespace

std::string turning_csv(const TurningReport& report) {
  TextTable table;
  for (const char* name :
       {"axis",    "series",  "values",   "n_best",     "n_best_low",     "n_best_high",
        "n95",     "n95_low", "n95_high", "n95_fitted", "n95_fitted_low", "n95_fitted_high",
        "n_theta", "knee",    "n_knee",   "n_knee_low", "n_knee_high",    "bic_gain",
        "form",    "probes",  "regret",   "reason"}) {
    table.columns.push_back({.header = name});
  }
  for (const TurningSeries& series : report.series) table.rows.push_back({cells_of(series)});
  return csv_text(table);
}

}  // namespace opbench
