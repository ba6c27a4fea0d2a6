#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "benchmarks/common/benchmark.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"

namespace opbench {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One workload of a template on a target, with what the logs hold of it.
struct MeasuredShape {
  std::string name;
  Task task;
  ConfigSpace space;
  std::map<uint64_t, double> times_s;  ///< by config; infinite: it failed
  double trial_s = 0;                  ///< building and measuring, the mean
  double best_s = kInfinity;

  double regret(uint64_t config) const { return times_s.at(config) / best_s - 1; }
};

/// Shapes by target and template.
using Groups = std::map<std::string, std::vector<MeasuredShape>>;

/// What the tuning logs of a folder hold: shapes with at least `least` configs, in groups of three
/// at least. `kInvalidInput` for a folder that cannot be read, `kNoMatch` without such a group.
Result<Groups> read_shapes(const std::string& folder, size_t least, Report& report);

}  // namespace opbench
