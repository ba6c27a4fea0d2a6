#include "kernels/schedules/codegen/kernel_target.h"

#include <halide14/Halide.h>

#include <map>
#include <vector>

#include "machine/target/cuda_arch.h"
#include "machine/target/device_type.h"

namespace opbench {
namespace {

using KernelTargetHalideTarget = Halide::Target;

/// The vector features by name; avx512 as Skylake has it, so that objects travel between machines.
std::vector<KernelTargetHalideTarget::Feature> isa_features(VectorIsa isa) {
  std::vector<KernelTargetHalideTarget::Feature> features;
  if (isa == VectorIsa::kScalar || isa == VectorIsa::kNeon) return features;
  features.push_back(KernelTargetHalideTarget::SSE41);
  if (isa == VectorIsa::kSse41) return features;
  for (const auto feature : {KernelTargetHalideTarget::AVX, KernelTargetHalideTarget::AVX2,
                             KernelTargetHalideTarget::FMA, KernelTargetHalideTarget::F16C})
    features.push_back(feature);
  if (isa == VectorIsa::kAvx2) return features;
  features.push_back(KernelTargetHalideTarget::AVX512);
  features.push_back(KernelTargetHalideTarget::AVX512_Skylake);
  return features;
}

/// The host's part of a kernel for a GPU only starts what runs there. It keeps Halide's checks:
/// some tell that a launch failed.
KernelTargetHalideTarget device_target(KernelTargetHalideTarget::Feature device) {
  return {KernelTargetHalideTarget::Linux,
          is_x86(host_target()) ? KernelTargetHalideTarget::X86 : KernelTargetHalideTarget::ARM,
          64,
          {KernelTargetHalideTarget::NoRuntime, KernelTargetHalideTarget::NoBoundsQuery,
           KernelTargetHalideTarget::UserContext, device}};
}

/// PTX of the target's generation. An `-arch` that is none was refused before.
KernelTargetHalideTarget cuda_target(const Target& target) {
  static const std::map<int, KernelTargetHalideTarget::Feature> kCapabilities = {
      {30, KernelTargetHalideTarget::CUDACapability30},
      {32, KernelTargetHalideTarget::CUDACapability32},
      {35, KernelTargetHalideTarget::CUDACapability35},
      {50, KernelTargetHalideTarget::CUDACapability50},
      {61, KernelTargetHalideTarget::CUDACapability61},
      {70, KernelTargetHalideTarget::CUDACapability70},
      {75, KernelTargetHalideTarget::CUDACapability75},
      {80, KernelTargetHalideTarget::CUDACapability80},
      {86, KernelTargetHalideTarget::CUDACapability86}};
  KernelTargetHalideTarget made = device_target(KernelTargetHalideTarget::CUDA);
  made.set_feature(kCapabilities.at(cuda_arch(target).value_or(CudaArch{}).made));
  return made;
}

}  // namespace

Halide::Target halide_target(const Target& target, TargetOptions options) {
  if (device_type(target) == DeviceType::kOpenCl) {
    return device_target(KernelTargetHalideTarget::OpenCL);
  }
  if (device_type(target) == DeviceType::kCuda) return cuda_target(target);
  std::vector<KernelTargetHalideTarget::Feature> features = isa_features(vector_isa(target));
  if (options.has_dot_products) {
    features.push_back(KernelTargetHalideTarget::AVX512_Cannonlake);
    features.push_back(
        KernelTargetHalideTarget::AVX512_SapphireRapids);  // Halide 14 has VNNI nowhere else
  }
  for (const auto feature :
       {KernelTargetHalideTarget::NoRuntime, KernelTargetHalideTarget::NoBoundsQuery,
        KernelTargetHalideTarget::NoAsserts, KernelTargetHalideTarget::UserContext})
    features.push_back(feature);
  if (options.keeps_loops) features.push_back(KernelTargetHalideTarget::DisableLLVMLoopOpt);
  return {KernelTargetHalideTarget::Linux,
          is_x86(target) ? KernelTargetHalideTarget::X86 : KernelTargetHalideTarget::ARM, 64,
          features};
}

}  // namespace opbench
