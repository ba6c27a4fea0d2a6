#pragma once

#include <functional>
#include <string>

#include "opbench/base/failure.h"
#include "opbench/base/json.h"

namespace opbench {

/// Answers one method of the engine protocol: the `result`, or a failure.
using RequestHandler = std::function<Outcome<Json>(const std::string& method, const Json& params)>;

/// Serves the engine protocol on descriptors 3 and 4 until the requests end: the main loop of an
/// engine written in C++. Returns the process's exit code.
int serve(const RequestHandler& handler);

}  // namespace opbench
