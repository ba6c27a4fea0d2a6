#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"
#include "experiments/sessions/request/model_spec.h"
#include "experiments/sessions/request/run_hooks.h"
#include "model/download/remote_model.h"
#include "model/graph/graph.h"

namespace opbench {

/// Where the model lies that is no built-in one and no workload: its path, or in the
/// cache, where a URL's file comes on first use. `hooks.progress` is told how far that is.
/// Errors as fetch_model gives them.
Result<RemoteModel> model_file(const ModelSpec& spec, const RunHooks& hooks);

/// The model in that file. Its source is the name in `spec`. Errors as read_onnx gives them;
/// `kInvalidInput` if the file has another SHA-256 than `spec` wants.
Result<Model> read_model_file(const ModelSpec& spec, const RunHooks& hooks);

}  // namespace opbench
