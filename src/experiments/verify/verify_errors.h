#pragma once

#include <string>

#include "experiments/sessions/check/check.h"
#include "experiments/verify/verify_model.h"
#include "measuring/results/verify_result.h"

namespace opbench {

/// Fills `result.errors`: each unit of the engine on what the operators' references make of the
/// case's inputs. Where that cannot be, `no_errors_reason` says why.
void find_verify_errors(const VerifyModel& model, const std::string& engine,
                        const EngineOptions& options, CaseResult& result);

}  // namespace opbench
