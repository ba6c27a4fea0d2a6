#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/operators/workloads/unit_identity.h"
#include "prediction/why/cause.h"
#include "prediction/why/machine_code.h"
#include "prediction/why/time_split.h"

namespace opbench {

/// Where the time of a call of a unit goes on one side, and why it is not shorter.
struct Explanation {
  std::string side;  ///< engine, or the label of a side of a comparison
  TimeSplit split;
  std::vector<Cause> causes;   ///< largest first; empty: unknown
  std::string implementation;  ///< schedule and config of our kernel; another engine's own name
  std::optional<HotLoop> hot;  ///< of our kernel
  std::string no_code;         ///< why there is none
  std::map<std::string, double> counts;  ///< of hardware counters, a call; empty: none were read
};

/// A unit on the sides that have a time of it.
struct UnitWhy {
  UnitIdentity identity;
  int64_t count = 1;
  std::vector<Explanation> sides;
};

/// Of several units, with how the parts came to be.
struct WhyReport {
  std::vector<UnitWhy> units;        ///< those first that matter most
  std::string no_counters;           ///< why no hardware counter was read; empty: some were
  std::vector<std::string> remarks;  ///< on the ceilings, each once
};

}  // namespace opbench
