#include "machine/devices/cuda_search.h"
#include "machine/devices/device.h"

namespace opbench {
namespace {

Result<std::vector<FoundDevice>> find_cuda() { return find_cuda_devices(); }

}  // namespace

DeviceDef cuda_device() {
  return {.name = "cuda",
          .summary = "NVIDIA's GPUs; no engine runs kernels on them yet",
          .type = DeviceType::kCuda,
          .clock = "event",
          .has_kernels = false,
          .find = find_cuda};
}

}  // namespace opbench
