#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/findings/proposal.h"
#include "machine/target/target.h"

namespace opbench {

/// The least time of the model (by its name and batch size) with each engine at this number of
/// threads on this machine, in the store. Errors as query_store().
Result<std::vector<StoredTime>> stored_times(const std::filesystem::path& store,
                                             const ProfileResult& result, int threads);

/// The best kernels of the store's trials for the target. `folder` is for a file. Empty where it
/// has none.
Result<std::vector<StoredKernel>> stored_kernels(const std::filesystem::path& store,
                                                 const Target& target, int threads,
                                                 const std::filesystem::path& folder);

}  // namespace opbench
