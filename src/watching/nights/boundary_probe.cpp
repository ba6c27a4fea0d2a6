#include "watching/nights/boundary_probe.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "measuring/results/statistics.h"
#include "watching/detectors/robust_sd.h"
#include "watching/nights/question_update.h"

namespace opbench {
namespace {

struct ProbedStep {
  int row = 0;
  LevelStep step = {};
};

/// Rows that were rebuilt tonight, at the boundary, and are not suspected anyway.
std::vector<ProbedStep> probed_steps(const WatchState& state, const DetectorDef& detector) {
  const auto now = static_cast<int>(state.nights.size()) - 1;
  std::vector<ProbedStep> probed;
  for (size_t i = 0; i < state.rows.size(); ++i) {
    const WatchedRow& row = state.rows[i];
    if (row.points.size() < 2 || row.points.back().night != now || state.series[i].is_control)
      continue;
    const LevelPoint& point = row.points.back();
    if (!point.is_rebuilt || point.boundary_sd == 0) continue;
    const LevelView view{.points = row.points, .base = row.base, .noise = row.noise};
    for (const LevelStep& step : detector.find(view)) {
      if (step.at + 1 == row.points.size() && step.z < detector.threshold) {
        probed.push_back({static_cast<int>(i), step});
      }
    }
  }
  std::ranges::stable_sort(
      probed, [&](const ProbedStep& a, const ProbedStep& b) { return a.step.z > b.step.z; });
  return probed;
}

}  // namespace

Result<void> probe_boundary(WatchState& state, const WatchOptions& options,
                            const DetectorDef& detector, const PairSource& source) {
  if (!source || !detector.needs_hashes || !state.nights.back().starts_segment) return {};
  std::vector<ProbedStep> probed = probed_steps(state, detector);
  if (std::ssize(probed) > options.probes_a_boundary) {
    probed.resize(static_cast<size_t>(options.probes_a_boundary));
  }
  for (ProbedStep& probe : probed) {
    const WatchedRow& row = state.rows[static_cast<size_t>(probe.row)];
    const LevelPoint& before = row.points[probe.step.at - 1];
    OPBENCH_TRY(const PairedAnswer answer,
                source({.series = state.series[static_cast<size_t>(probe.row)].id,
                        .night = state.nights.back().index,
                        .old_night = state.nights[static_cast<size_t>(before.night)].index,
                        .new_night = state.nights.back().index,
                        .pairs = options.pairs_a_probe}));
    ++state.probes;
    state.pairs += std::ssize(answer.log_ratios);
    if (answer.log_ratios.empty()) continue;
    const double spread = std::max(std::numbers::sqrt2 * row.noise, robust_sd(answer.log_ratios));
    probe.step.size = median(answer.log_ratios);
    probe.step.sd = 1.2533 * spread / std::sqrt(static_cast<double>(answer.log_ratios.size()));
    probe.step.z = std::abs(probe.step.size) / probe.step.sd;
    if (probe.step.z >= detector.threshold) {
      open_question(state, probe.row, probe.step, detector);
      state.questions.back().calls = 1;
    }
  }
  return {};
}

}  // namespace opbench
