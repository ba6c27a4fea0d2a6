#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

#include "base/json/json.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// An engine that has prepared y = Relu(x0) as "m".
struct TimedCalls {
  std::function<Json(const std::string& method, const Json& params)> call;  ///< null: it failed
  std::function<void(const std::string& text, bool holds, const std::string& found)> rule;
  int pid = 0;
  std::filesystem::path folder;
  Json input;     ///< tensor file of an x0 that it has not seen
  Tensor output;  ///< the y of that
};

/// What it makes of inputs that it has not seen while it is timed, how long that takes, and whether
/// its times account for the time of its requests.
void check_timed_calls(const TimedCalls& calls);

}  // namespace opbench
