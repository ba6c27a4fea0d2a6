#pragma once

#include "engines/catalog/engine.h"

namespace opbench {

/// The model as a package of our kernels for the options' target, in their folder: what engines of
/// packages have as `prepare_model`.
Result<PreparedModel> prepare_package(const Model& model, const EngineOptions& options);

}  // namespace opbench
