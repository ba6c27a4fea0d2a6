#pragma once

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// What a MODEL argument stands for.
struct ModelArgument {
  bool is_zoo = false;
  std::string name;  ///< of the zoo, or the path or URL
};

/// A URL if it contains `://`; a path if it contains `/`, ends in `.onnx` or names a file; else a
/// name of the zoo. `kInvalidInput`: a file that is not there, an unknown name (with a guess), a
/// URL of another kind than http and https.
Result<ModelArgument> resolve_model(const std::string& text);

/// Whether a MODEL|WORKLOAD argument is operators as `op` takes them: these have a blank in them, a
/// model has none unless it is a file.
bool is_workload(const std::string& text);

}  // namespace opbench
