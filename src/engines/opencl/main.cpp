// The opencl engine: packages whose kernels run on an OpenCL device. Its arguments are the device's
// number, as in `opencl:0`, and how many of its units may be used; all without it.
#include <cstdlib>

#include "engines/opencl_device/opencl_device_api.h"
#include "engines/package_engine/package_engine.h"

int main(int count, char** words) {
  const int device = count > 1 ? std::atoi(words[1]) : 0;  // NOLINT: what is no number is device 0
  const int units = count > 2 ? std::atoi(words[2]) : 0;   // NOLINT: likewise all units
  return opbench::serve_packages({.name = "opencl", .open_device = [device, units] {
                                    return opbench::open_opencl_device(device, "libOpenCL.so.1",
                                                                       units);
                                  }});
}
