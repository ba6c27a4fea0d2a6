#pragma once

#include <filesystem>
#include <vector>

#include "experiments/compare/prepared_variant.h"

namespace opbench {

/// The main loop of a side worker: this program, started by another build of OpBench, which
/// prepares the sides that a request names (method `prepare_sides`, over the engine protocol's
/// descriptors). Returns the exit code.
int serve_variants();

/// The sides of a model as another build prepares them: `build` is its `opbench`, or the folder
/// that holds it. The user's engines and listeners of the request are not handed over.
/// `kInvalidInput` when there is no such program, `kEnvironment` when it does not take part; else
/// what it answers.
Result<std::vector<PreparedVariant>> prepare_variants_with(const std::filesystem::path& build,
                                                           const ProfileRequest& request,
                                                           const std::vector<Variant>& variants,
                                                           UnitKind units,
                                                           const std::filesystem::path& folder);

}  // namespace opbench
