#include "machine/target/device_type.h"

namespace opbench {

DeviceType device_type(const Target& target) {
  if (target.kind == "llvm" || target.kind == "c") return DeviceType::kCpu;
  if (target.kind == "cuda" || target.kind == "nvptx") return DeviceType::kCuda;
  if (target.kind == "opencl") return DeviceType::kOpenCl;
  const bool is_accelerator =
      target.kind == "ext_dev" || target.kind == "vta" || target.kind == "pynq";
  return is_accelerator ? DeviceType::kExtDev : DeviceType::kOther;
}

}  // namespace opbench
