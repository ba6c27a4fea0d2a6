#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "experiments/sessions/request/profile_request.h"
#include "measuring/sampling/paired.h"

namespace opbench {

/// A kernel of a tuning log for one unit of the model, and how it did beside the default config.
struct ContestedKernel {
  KernelChoice choice;      ///< of exactly this unit
  std::string unit;         ///< conv2d+relu 1x64x56x56 w:64x64x3x3
  bool is_default = false;  ///< it is the default config: nothing to measure
  /// Times of the default (side 0) and of the choice; nothing: they could not be compared.
  std::optional<PairedItemResult> result;
};

/// Which kernels of a log are applied.
struct KernelDecision {
  std::vector<KernelChoice> kernels;  ///< one a unit and thread count
  std::vector<std::string> notes;     ///< what is not applied, and why: a line each
};

/// Whether the choice, which is for exactly one unit, is that unit's default config.
bool is_default_config(const KernelChoice& choice, const Target& target);

/// Keeps the kernels that are not slower than the default config. A kernel that fails, or that
/// cannot be compared, is not applied; one whose default fails is. At most five kernels are named
/// in the notes, the slowest against its default first.
KernelDecision decision_of(std::vector<ContestedKernel> kernels);

/// Measures `request.candidates` beside the default configs, in turn and in the same processes, for
/// the request's model at these thread counts, and decides. Units run with cold weights, as inside
/// a model; a single workload as `request.cache` says. Nothing is measured without candidates.
/// Errors as run_profile's; `kInvalidInput` when no candidate is for this model.
Result<KernelDecision> decide_kernels(const ProfileRequest& request,
                                      const std::vector<int>& threads);

/// The request with its candidates decided: `kernels` instead. Notes are added to `notes`.
Result<ProfileRequest> with_decided_kernels(const ProfileRequest& request,
                                            const std::vector<int>& threads,
                                            std::vector<std::string>& notes);

}  // namespace opbench
