#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "experiments/together/unit_config.h"
#include "planning/together/arrangement.h"

namespace opbench {

/// The configs of two units in one arrangement, with the time until both have ended, predicted.
struct GroupForecast {
  Arrangement arrangement = Arrangement::kSequential;
  std::array<size_t, 2> configs{};  ///< index in the list of each unit
  double predicted_ms = 0;
  bool operator==(const GroupForecast&) const = default;
};

/// How much each of two configs is slowed beside the other, 1 or more.
using SlowdownsOf = std::function<std::array<double, 2>(size_t first, size_t second)>;

/// The time until both have ended. While both run, each goes on at 1 / slow-down of its pace alone
/// on one thread; whoever is left goes on alone, or with the help of the other worker at the pace
/// of two threads. Nothing where a time on two threads is needed and not known.
std::optional<double> makespan_ms(Arrangement arrangement,
                                  const std::array<const UnitConfig*, 2>& configs,
                                  const std::array<double, 2>& slowdowns);

/// Every arrangement of every two configs, the shortest first; ties by arrangement, then configs.
/// `are_equal`: the units have one workload, for which a package holds one kernel, so both take the
/// same config.
std::vector<GroupForecast> group_forecasts(const std::array<std::vector<UnitConfig>, 2>& lists,
                                           bool are_equal, const SlowdownsOf& slowdowns);

/// The index of the config that is fastest on so many threads, 1 or 2; 0 where none has such a
/// time. The list is not empty.
size_t fastest_config(const std::vector<UnitConfig>& list, int threads);

}  // namespace opbench
