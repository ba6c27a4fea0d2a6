#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/tables/table.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/why/why_evidence.h"
#include "measuring/results/finding.h"
#include "measuring/results/profile_result.h"
#include "prediction/why/explanation.h"

namespace opbench {

/// What another run of the same model took on this machine, as the store has it.
struct StoredTime {
  std::string engine;
  double median_ms = 0;
};

/// A kernel of the store's trials, with its time there.
struct StoredKernel {
  KernelChoice choice;
  double mean_ms = 0;
};

/// A row of the profile with its explanation.
struct ExplainedUnit {
  const UnitResult* row = nullptr;
  const UnitFacts* facts = nullptr;  ///< null: not known
  Explanation why;                   ///< empty without facts
};

/// What sources look at.
struct FindingInput {
  const ProfileRequest& request;
  const ProfileResult& result;
  const EngineRun& run;        ///< the first of the profile, whose time is to be shorter
  const EngineResult& engine;  ///< its result
  std::vector<ExplainedUnit> units;
  int cpus = 1;                     ///< that this process may use
  double transfer_ns_per_byte = 0;  ///< of a value that another CPU wrote; 0: not known
  std::vector<StoredTime> stored_times = {};
  std::vector<StoredKernel> stored_kernels = {};

  /// Milliseconds of the model from end to end, or of the sum of its units.
  double model_ms() const;
};

/// A finding, with the run that tries it.
struct Proposal {
  Finding finding;
  ProfileRequest trial;  ///< the request with the change
};

/// One source, from the files `<x>_proposal.cpp`.
struct ProposalDef {
  std::string name;
  std::string summary;
  std::vector<Proposal> (*look)(const FindingInput& input) = nullptr;
};
const Table<ProposalDef>& proposal_table();

/// Sets the expected gain: `percent`, give or take `relative` of it. The interval is at least two
/// points wide, no wider than the gain where that is more, and ends at 100 %.
void expect(Finding& finding, double percent, double relative);

/// The request's command line with this option set; an empty value removes it. Options that only
/// say where reports go, and those of findings, are left out.
std::string command_with(const ProfileRequest& request, const std::string& option,
                         const std::string& value);

/// Where: the model's name, or the workload's text.
std::string place_of(const FindingInput& input);

}  // namespace opbench
