#include "machine/devices/device.h"
#include "machine/devices/opencl_search.h"

namespace opbench {
namespace {

Result<std::vector<FoundDevice>> find_opencl() { return find_opencl_devices(); }

}  // namespace

DeviceDef opencl_device() {
  return {.name = "opencl",
          .summary = "GPUs and other devices with an OpenCL driver",
          .type = DeviceType::kOpenCl,
          .clock = "event",
          .find = find_opencl};
}

}  // namespace opbench
