// The opencl engine: packages whose kernels run on an OpenCL device. Its arguments are the device's
// number, as in `opencl:0`, how many of its units may be used, 0 for all, and a CPU for threads
// that the driver starts.
#include <cstdlib>
#include <optional>
#include <vector>

#include "engines/opencl_device/opencl_device_api.h"
#include "engines/package_engine/package_engine.h"
#include "machine/resources/pinning.h"

namespace {

// A driver's threads begin where the thread that opens the device may run.
opbench::Result<std::unique_ptr<opbench::DeviceApi>> open_device(int device, int units,
                                                                 std::optional<int> cpu) {
  const std::vector<int> before = opbench::current_affinity();
  if (cpu) OPBENCH_CHECK(opbench::pin_this_thread({*cpu}));
  auto opened = opbench::open_opencl_device(device, "libOpenCL.so.1", units);
  if (cpu) OPBENCH_CHECK(opbench::pin_this_thread(before));
  return opened;
}

}  // namespace

int main(int count, char** words) {
  const int device = count > 1 ? std::atoi(words[1]) : 0;  // NOLINT: what is no number is device 0
  const int units = count > 2 ? std::atoi(words[2]) : 0;   // NOLINT: likewise all units
  const std::optional<int> cpu =
      count > 3 ? std::optional(std::atoi(words[3])) : std::nullopt;  // NOLINT: the same
  return opbench::serve_packages({.name = "opencl", .open_device = [device, units, cpu] {
                                    return open_device(device, units, cpu);
                                  }});
}
