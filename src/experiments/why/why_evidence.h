#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/session.h"
#include "experiments/why/why_ceilings.h"
#include "measuring/results/measurement.h"
#include "prediction/why/explanation.h"

namespace opbench {

/// All that is known of a unit of an engine run but its times.
struct UnitFacts {
  UnitIdentity identity;  ///< with the nodes of all occurrences
  UnitEvidence evidence;
  std::string implementation;
};

/// What is known of the units of an engine run but their times. It outlives the session.
struct RunFacts {
  std::vector<UnitFacts> units;
  std::string remark;       ///< on the ceilings; may be empty
  double weight_bytes = 0;  ///< of the model
  double cached_bytes = 0;  ///< that the last cache holds

  /// The unit that has these nodes; of one without nodes, as changes of layout are, that with its
  /// workload and layouts. Null: none.
  const UnitFacts* find(const UnitIdentity& identity) const;
};

/// Of an engine run whose packages are built: kernels, their instructions, ceilings. Takes a tenth
/// of a second a kernel and the same where peaks of narrower vectors are measured; a second more
/// the first time that a machine's ceilings are measured.
/// `result`: of the run as far as it is known; call overhead and peak are taken from it. Errors of
/// why_ceilings.
Result<RunFacts> facts_of_run(Session& session, size_t engine_run, const EngineResult& result);

/// A time, and in which state it was taken.
struct RowTime {
  double ms = 0;
  bool is_in_model = false;  ///< else alone, in the cache mode of the run
  double waiting_ms = 0;     ///< of a call, a thread
};

/// Splits the time of a unit and names its causes.
Explanation explain(const RunFacts& run, const UnitFacts& unit, const RowTime& time);

/// The time of a measurement, with what its threads waited for a CPU.
RowTime unit_time_of(const Measurement& time, int threads);

}  // namespace opbench
