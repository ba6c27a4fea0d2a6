#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "engines/protocol/server.h"
#include "engines/runtime/bound_step.h"

namespace opbench {

/// The step `unit`, on buffers of its own, of what was prepared as `name`.
using FindStep = std::function<Result<BoundStep*>(const std::string& name, size_t unit)>;

/// Answers the protocol's `corun` on the first two of `cpus`.
Outcome<Json> answer_corun(const Json& params, const std::vector<int>& cpus, const FindStep& find);

}  // namespace opbench
