#include "engines/catalog/engine.h"
#include "engines/catalog/opencl_command.h"
#include "engines/catalog/prepare_package.h"
#include "engines/runtime/executor.h"

namespace opbench {

EngineDef opencl_engine() {
  return {.name = "opencl",
          .summary = "OpBench's own kernels on a device with an OpenCL driver",
          .takes_packages = true,
          .device_kinds = {"opencl"},
          .executors = {kDefaultExecutor},
          .unavailable = opencl_unavailable,
          .command = opencl_command,
          .prepare_model = prepare_package};
}

}  // namespace opbench
