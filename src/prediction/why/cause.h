#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/tables/table.h"
#include "prediction/why/time_split.h"
#include "prediction/why/unit_evidence.h"

namespace opbench {

/// Why a call takes longer than it might.
struct Cause {
  std::string name;
  std::string evidence;  ///< what says so, in one line
  double share = 0;      ///< of the time, 0…1: what is gained if the cause goes
  Basis basis = Basis::kModelled;
  bool operator==(const Cause&) const = default;
};

/// One rule, from the files `<x>_cause.cpp`.
struct CauseDef {
  std::string name;  ///< as reports say it: `padding taps computed`
  std::string summary;
  /// Nothing where the evidence does not name it. `name` of the result may be left empty.
  std::optional<Cause> (*look)(const UnitEvidence& evidence, const TimeSplit& split) = nullptr;
};
const Table<CauseDef>& cause_table();

/// Smaller shares of the time are no cause.
constexpr double kLeastCause = 0.05;

/// The causes that take at least kLeastCause of the time, largest first. Empty: unknown.
std::vector<Cause> causes_of(const UnitEvidence& evidence, const TimeSplit& split);

}  // namespace opbench
