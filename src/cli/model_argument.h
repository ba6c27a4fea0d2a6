#pragma once

#include <string>

#include "opbench/base/error.h"

namespace opbench {

/// What a MODEL argument stands for.
struct ModelArgument {
  bool is_zoo = false;
  std::string name;  ///< of the zoo, or the path
};

/// A path if it contains `/`, ends in `.onnx` or names a file; else a name of the zoo.
/// `kInvalidInput`: a file that is not there, an unknown name (with a guess).
Result<ModelArgument> resolve_model(const std::string& text);

}  // namespace opbench
