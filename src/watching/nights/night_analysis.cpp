#include "watching/nights/night_analysis.h"

#include <algorithm>

#include "watching/nights/boundary_probe.h"
#include "watching/nights/level_update.h"
#include "watching/nights/lineage.h"
#include "watching/nights/night_upkeep.h"
#include "watching/nights/pair_queue.h"
#include "watching/nights/question_update.h"

namespace opbench {
namespace {

void append_night(WatchState& state, const std::vector<Series>& series, const Night& night) {
  for (size_t i = state.series.size(); i < series.size(); ++i) {
    state.series.push_back(series[i]);
    state.rows.emplace_back();
  }
  MeasuredNight now{.index = night.index,
                    .date = night.date,
                    .commits = night.commits,
                    .environment = night.environment,
                    .method = night.method,
                    .is_filled = night.is_filled};
  now.starts_segment =
      !state.nights.empty() && (state.nights.back().environment != now.environment ||
                                state.nights.back().method != now.method);
  state.nights.push_back(std::move(now));
}

}  // namespace

Result<void> analyse_night(WatchState& state, const std::vector<Series>& series, const Night& night,
                           const WatchOptions& options, const PairSource& source) {
  OPBENCH_TRY(const DetectorDef* detector, detector_table().find(options.detector));
  append_night(state, series, night);
  inherit_history(state, night);
  append_levels(state, night);
  update_questions(state, *detector, source ? detector->threshold : detector->sure);
  count_missing(state);
  judge_noise(state);
  const PairSource asked = night.is_filled ? PairSource() : source;
  OPBENCH_CHECK(probe_boundary(state, options, *detector, asked));
  OPBENCH_CHECK(run_pairs(state, options, *detector, asked));
  settle_groups(state, options);
  return {};
}

Result<WatchState> analyse_history(const History& history, const WatchOptions& options,
                                   const PairSource& source) {
  WatchState state;
  for (const Night& night : history.nights) {
    OPBENCH_CHECK(analyse_night(state, history.series, night, options, source));
  }
  return state;
}

}  // namespace opbench
