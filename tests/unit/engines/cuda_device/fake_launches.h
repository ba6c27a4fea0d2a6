#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

inline const std::string kFakeCuda = OPBENCH_BINARY_DIR "/libfake_cuda.so";

/// A launch as the driver of tests saw it; x, y, z.
struct FakeLaunch {
  std::array<int64_t, 3> grid = {};
  std::array<int64_t, 3> block = {};
  int64_t shared_bytes = 0;
  bool operator==(const FakeLaunch&) const = default;
};

struct FakeRun {
  std::string ptx;
  std::vector<FakeLaunch> launches;
  int module_limits = 0;  ///< modules for which a limit of registers was given to the driver
};

/// Compiles the kernel by `spec` for CUDA and calls it once, through Halide's runtime and the
/// engine's functions, on the driver of tests.
Result<FakeRun> run_on_fake_driver(const KernelSpec& spec);

}  // namespace opbench
