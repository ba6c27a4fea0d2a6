#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "model/operators/workloads/unit_identity.h"
#include "records/store/store_folder.h"

/// Labels of the results of nights.
namespace opbench::night_label {

inline constexpr const char* kSuite = "watch_suite";
inline constexpr const char* kBranch = "watch_branch";
inline constexpr const char* kNight = "watch_night";
inline constexpr const char* kCommit = "watch_commit";
inline constexpr const char* kMethod = "watch_method";
inline constexpr const char* kSurroundings = "watch_surroundings";
inline constexpr const char* kSubject = "watch_subject";
inline constexpr const char* kFrozen = "watch_frozen";
inline constexpr const char* kFilledFor = "watch_filled_for";

}  // namespace opbench::night_label

namespace opbench {

/// What all records of one night have in their labels.
struct NightLabels {
  std::string suite;
  std::string branch;
  std::string night;            ///< `2026-11-28`; of a second one that day `2026-11-28.2`
  std::string commit;           ///< of the watched engines
  std::string method;           ///< how it was measured: one name
  std::string surroundings;     ///< kernel, microcode, compiler, libraries of others: one name
  std::string frozen = {};      ///< the commit whose build ran, of a frozen control; empty: none is
  std::string filled_for = {};  ///< the night for which it was measured afterwards; empty: none
  bool operator==(const NightLabels&) const = default;
};

std::map<std::string, std::string> labels_of(const NightLabels& labels, const std::string& subject);

/// One result of a night as the store keeps it.
struct NightResult {
  NightLabels labels;
  std::string subject;  ///< the model or the workload, as in the suite
  std::string timestamp;
  std::string machine;  ///< machine_hash
  std::string engine;
  int threads = 1;
  std::string scope;      ///< unit or model
  UnitIdentity identity;  ///< the text of its workload, without domain, and its nodes; empty: an
                          ///< engine's own node, or the model
  std::vector<double> values;  ///< ms, the samples that count; empty: it failed
  std::string code_hash;       ///< empty: not known
  std::string clock = {};      ///< of the times, where it is not the CPU's (time_clock.h)
};

/// Results of a suite's nights, in the order of their times. Empty where the store has none.
Result<std::vector<NightResult>> night_results(StoreFolder& store, const std::string& suite);

}  // namespace opbench
