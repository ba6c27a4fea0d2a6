// The cuda engine: packages whose kernels run on a CUDA device. Its argument is the device's
// number, as in `cuda:0`.
#include <cstdlib>

#include "engines/cuda_device/cuda_device_api.h"
#include "engines/package_engine/package_engine.h"

int main(int count, char** words) {
  const int device = count > 1 ? std::atoi(words[1]) : 0;  // NOLINT: what is no number is device 0
  return opbench::serve_packages({.name = "cuda", .open_device = [device] {
                                    return opbench::open_cuda_device(device, "libcuda.so.1");
                                  }});
}
