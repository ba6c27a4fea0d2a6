#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/findings/proposal.h"

namespace opbench {

/// A profile with what could make it faster.
struct FoundProfile {
  ProfileResult result;             ///< its findings are those of the proposals
  std::vector<Proposal> proposals;  ///< the largest expected gain first
  WhyReport why;                    ///< of the rows that take most of the time
};

/// Measures as run_profile, then looks for what could make the first engine's model faster.
/// `store`: where other results lie; nothing: in none. A store that cannot be read is a warning.
Result<FoundProfile> profile_with_findings(const ProfileRequest& request,
                                           const std::optional<std::filesystem::path>& store);

/// Runs the change beside the request as it was, in turn, and keeps what it gained in the finding:
/// of the model, of a single workload its only unit. Where that gives no time, the finding says
/// why. `kInterrupted` when cancelled.
Result<void> try_proposal(const ProfileRequest& request, Proposal& proposal);

}  // namespace opbench
