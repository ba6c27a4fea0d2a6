#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"
#include "experiments/sessions/profile_request.h"
#include "model/download/remote_model.h"
#include "model/graph/graph.h"

namespace opbench {

/// Where the model of a request lies that is no built-in one and no workload: its path, or in the
/// cache, where a URL's file comes on first use. `request.progress` is told how far that is.
/// Errors as fetch_model gives them.
Result<RemoteModel> model_file(const ProfileRequest& request);

/// The model in that file. Its source is what the request names. Errors as read_onnx gives them;
/// `kInvalidInput` if the file has another SHA-256 than the request wants.
Result<Model> read_model_file(const ProfileRequest& request);

}  // namespace opbench
