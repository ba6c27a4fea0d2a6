#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "machine/devices/device.h"

namespace opbench {

/// The devices that a driver tells of, asked in a process of its own. `look` returns
/// `{"devices": [{"description", "driver", "boundary", "units", "arch", "facts": [{"label",
/// "text"}]}]}`, or `{"reason": text}`; boundary, units and arch may be absent. Devices are named
/// `KIND:0`, `KIND:1`, …, and by the short name of their
/// `driver`, where that is there: `pocl:0`. `kEnvironment` with the reason, or when the driver
/// crashes or does not answer within ten seconds.
Result<std::vector<FoundDevice>> probed_devices(const std::string& kind,
                                                const std::function<Json()>& look);

}  // namespace opbench
