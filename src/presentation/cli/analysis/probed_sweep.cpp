#include "presentation/cli/analysis/probed_sweep.h"

#include <algorithm>

#include "base/numbers/number.h"
#include "prediction/analysis/probes.h"
#include "presentation/report/sweep/sweep_table.h"

namespace opbench {
namespace {

Result<SweepResult> measured(const SweepSetup& setup, std::vector<SweepKey> keys,
                             const std::vector<std::string>& argv, const SweepWatch& watch) {
  OPBENCH_TRY(SweepPlan plan, SweepPlan::make(setup.base, std::move(keys)));
  SweepRequest request{.plan = std::move(plan), .argv = argv};
  request.keep = watch.keep;
  request.progress = watch.progress;
  request.cancel = watch.cancel;
  SweepResult result = run_sweep(request);
  if (watch.cancel != nullptr && *watch.cancel) {
    return Error{ErrorCode::kInterrupted, "interrupted before there was a turning point"};
  }
  return result;
}

Result<MeasuredSweep> probed(const SweepSetup& setup, size_t probes, double tolerance,
                             const std::vector<std::string>& argv, const SweepWatch& watch) {
  SweepKey key = setup.keys.front();
  std::vector<double> values;
  for (const std::string& text : key.values) values.push_back(parse_number(text).value_or(0));
  std::ranges::sort(values);
  // The points of all probes, as one sweep.
  SweepResult all;
  const Probe probe = [&](size_t index) -> Result<double> {
    SweepKey one = key;
    one.values = {std::to_string(static_cast<int64_t>(values[index]))};
    OPBENCH_TRY(SweepResult result, measured(setup, {one}, argv, watch));
    const SweepPoint& point = result.points.front();
    if (!point.time || !point.failure.empty()) {
      return Error{ErrorCode::kPartial, "the probe " + one.name + "=" + one.values[0] + " failed"}
          .with("reason", point.failure);
    }
    const double time = point.time->median_ms;
    std::vector<SweepPoint> points = std::move(all.points);
    points.push_back(point);
    all = std::move(result);
    all.points = std::move(points);
    return time;
  };
  OPBENCH_TRY(const ProbeSearch search, search_with_probes(values, probes, tolerance, probe));
  return MeasuredSweep{.times = swept_times_of(all), .probe_order = search.order, .summary = {}};
}

}  // namespace

Result<MeasuredSweep> measure_sweep(const SweepSetup& setup, size_t probes, double tolerance,
                                    const std::vector<std::string>& argv, const SweepWatch& watch) {
  if (probes > 0) return probed(setup, probes, tolerance, argv, watch);
  OPBENCH_TRY(const SweepResult result, measured(setup, setup.keys, argv, watch));
  return MeasuredSweep{
      .times = swept_times_of(result), .probe_order = {}, .summary = sweep_summary(result)};
}

}  // namespace opbench
