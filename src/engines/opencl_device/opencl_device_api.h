#pragma once

#include <memory>
#include <string>

#include "engines/runtime/device_api.h"

namespace opbench {

/// Device `index` of all platforms' devices, in the order of `list devices`, with a context and a
/// queue that times what it runs. At most one of a process is open at a time: Halide's runtime,
/// which is linked into the process, finds it. `units`: how many of its units may be used, all of
/// them where it is 0. `kEnvironment` when there is no library, no driver
/// (ICD) or no such device; `kSystem` when it cannot be opened.
Result<std::unique_ptr<DeviceApi>> open_opencl_device(int index, const std::string& library,
                                                      int units = 0);

}  // namespace opbench
