#pragma once

#include <functional>

#include "base/errors/failure.h"
#include "engines/runtime/device_api.h"

namespace opbench {

/// The shortest of some samples of `number` calls, for a call.
double shortest_call_s(const std::function<void()>& call, int number);

/// Of a command that does next to nothing on the device, and waiting for it.
Result<double> device_floor_s(DeviceApi& device);

/// Why an engine has no device: there is none, or it is there and cannot be used.
Failure not_opened(const Error& error);

}  // namespace opbench
