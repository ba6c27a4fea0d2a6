#include "experiments/place/device_plan_session.h"

#include <string>

#include "experiments/devices/placed_run.h"

namespace opbench {

Result<PlaceResult> run_device_plan(const PlaceRequest& request) {
  DevicePair pair;
  const std::string reason = no_pair_reason(request.devices, pair);
  if (reason.empty()) return run_place(request);
  return invalid_input("these devices run no model together: " + reason)
      .with("usage", "--devices cpu0,opencl:0")
      .with("CPUs alone", "--threads 2 in place of --devices");
}

}  // namespace opbench
