#pragma once

#include "measuring/results/sweep_result.h"
#include "sample_profile.h"

namespace opbench {

/// Two engines at two batch sizes; the last point failed.
inline SweepResult sample_sweep() {
  SweepResult result{.timestamp = "2026-11-21T09:00:00Z", .workload = "relu 1x8"};
  result.target = "llvm";
  result.keys = {{"engine", {"halide", "onednn"}, false}, {"batch", {"1", "8"}}};
  result.total = 4;
  result.environment.machine = MachineFacts{.cpu_model = known<std::string>("A CPU")};
  for (size_t i = 0; i < 4; ++i) {
    SweepPoint point{.index = i, .values = point_values(result.keys, i)};
    point.workload = "relu";
    point.engine = point.values[0];
    point.batch = i % 2 == 0 ? 1 : 8;
    point.time = measured(static_cast<double>(i + 1), 0.01);
    point.time_of = "alone";
    point.gflops_per_s = 10;
    point.bound = "L1";
    result.points.push_back(point);
  }
  result.points[3].time.reset();
  result.points[3].time_of = "";
  result.points[3].gflops_per_s.reset();
  result.points[3].failure = "unsupported: no";
  return result;
}

}  // namespace opbench
