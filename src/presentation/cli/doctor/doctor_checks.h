#pragma once

#include <string>
#include <vector>

namespace opbench {

enum class CheckState { kGood, kDoubtful, kMissing };

/// One look at something that OpBench needs.
struct DoctorFinding {
  std::string check;
  CheckState state = CheckState::kGood;
  std::string finding;
  std::string remedy;  ///< what to do; empty when all is well
};

/// Commands and packages: onnxruntime-node, ld, halide, xgboost.
std::vector<DoctorFinding> check_tools();

/// Places that must be writable: the cache of kernels, files in memory.
std::vector<DoctorFinding> check_places();

/// Every engine is started and asked who it is.
std::vector<DoctorFinding> check_engines();

/// What makes times unsteady: a limit on CPU time, other work. Takes about half a second.
std::vector<DoctorFinding> check_machine();

}  // namespace opbench
