#pragma once

#include "engines/catalog/engine.h"
#include "engines/package/package_series.h"

namespace opbench {

/// True if packages for this executor leave extents free.
bool has_free_extents(const std::string& executor);

/// Prepares a model for engine `halide` and an executor with free extents, as the engine's
/// `prepare_model` does, into a series of packages. A process that has loaded one of them takes the
/// others by `bind` of the engine protocol.
Result<PreparedModel> prepare_extents(const Model& model, const EngineOptions& options,
                                      PackageSeries& series);

}  // namespace opbench
