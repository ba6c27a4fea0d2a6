#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "experiments/compare/compare_request.h"
#include "experiments/sessions/request/run_request.h"
#include "planning/together/arrangement.h"

namespace opbench {

/// One way to run a set.
struct SetSide {
  Arrangement arrangement = Arrangement::kSequential;
  std::array<KernelChoice, 2> kernels;
  std::array<double, 2> one_ms{};  ///< times of the kernels, as a plan file needs some
  std::array<double, 2> two_ms{};
};

/// Two units as a model of their own, run in several ways in turns.
class SetComparison {
 public:
  /// Writes the model into `folder`, which outlives this. `run`: target, CPUs, seed, progress.
  /// `kInvalidInput` for fewer than two CPUs.
  static Result<SetComparison> make(const std::array<KernelSpec, 2>& units, const RunRequest& run,
                                    const std::filesystem::path& folder);

  const std::vector<int>& cpus() const { return profile_.settings.cpus; }

  /// Judges each side against the first. `budget_s`: for all of them, beside what it takes to start
  /// engines. `is_look`: what comes out decides only what is compared next, so results are not
  /// checked and the first is not measured against itself. Errors as run_compare.
  Result<CompareResult> run(const std::vector<SetSide>& sides, double budget_s, bool is_look);

 private:
  ProfileRequest request_of(const SetSide& side);

  std::array<KernelSpec, 2> units_;
  ProfileRequest profile_;
  std::filesystem::path folder_;
  int plans_ = 0;
};

}  // namespace opbench
