#include "machine/devices/cuda_search.h"
#include "machine/devices/device.h"

namespace opbench {
namespace {

Result<std::vector<FoundDevice>> find_cuda() { return find_cuda_devices(); }

}  // namespace

DeviceDef cuda_device() {
  return {.name = "cuda",
          .summary = "NVIDIA's GPUs",
          .type = DeviceType::kCuda,
          .clock = "event",
          .find = find_cuda};
}

}  // namespace opbench
