#pragma once

#include <memory>
#include <string>

#include "engines/runtime/device_api.h"

namespace opbench {

/// Device `index` in the order of `list devices`, with its context and a stream that times what it
/// runs. At most one of a process is open at a time: Halide's runtime, which is linked into the
/// process, finds it. `kEnvironment` when there is no driver or no such device; `kSystem` when it
/// cannot be opened.
Result<std::unique_ptr<DeviceApi>> open_cuda_device(int index, const std::string& library);

}  // namespace opbench
