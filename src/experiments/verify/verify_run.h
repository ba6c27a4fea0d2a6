#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/verify/verify_case.h"
#include "measuring/results/verify_result.h"
#include "model/judging/tolerance.h"

namespace opbench {

/// Called after every case.
using VerifyProgress = std::function<void(size_t done, size_t total, const CaseResult& last)>;

struct VerifyRequest {
  std::vector<VerifyCase> cases;
  std::vector<std::string> engines;  ///< names; `reference`: the operators' own loops
  std::string target = "host";
  int threads = 1;
  Tolerances tolerances;
  bool wants_errors = false;  ///< of every unit, from the references in double precision
  std::string inject_fault;   ///< tests only: UNIT=FAULT (fault.h)
  VerifyProgress progress;
  const std::atomic<bool>* cancel = nullptr;
};

/// Runs every case on every engine and compares the outputs with the expected ones. Nothing is
/// timed. A case that fails does not end the run. `kInvalidInput` for an unknown engine,
/// `kEnvironment` for one that cannot be used here; `kInterrupted` is no error: the cases so far
/// are returned.
Result<VerifyResult> run_verify(const VerifyRequest& request);

}  // namespace opbench
