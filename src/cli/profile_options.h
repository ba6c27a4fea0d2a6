#pragma once

#include <map>
#include <string>
#include <vector>

#include "opbench/analysis/profile_request.h"
#include "opbench/base/tensor.h"
#include "opbench/cli/command.h"

namespace opbench {

/// How something is measured: the options of `profile` and `op`.
std::vector<OptionDef> measuring_options();

/// What a model is fed with: further options of `profile`; some also of `operators`.
std::vector<OptionDef> model_options();

/// Where results go: --format, --output, --record.
std::vector<OptionDef> output_options();

/// --shape NAME=1,3,224,224 or NAME=1x3x224x224.
Result<std::map<std::string, Shape>> shapes_of(const Arguments& arguments);

/// The request but for model and workload. `kInvalidInput` for any value that cannot be; nothing is
/// measured or built here.
Result<ProfileRequest> request_of(const Invocation& invocation);

}  // namespace opbench
