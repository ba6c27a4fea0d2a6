#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engines/runtime/host_kernel.h"
#include "engines/runtime/kernel_call.h"
#include "engines/runtime/kernel_runtime.h"
#include "engines/runtime/program.h"

namespace opbench {

/// A step with its memory: everything that one call needs, prepared before a call is timed.
class BoundStep {
 public:
  BoundStep(Kernel kernel, KernelContext* context, size_t arguments);
  explicit BoundStep(HostKernel kernel);
  BoundStep(BoundStep&&) = default;

  void bind(size_t index, const Slot& slot, std::byte* memory);

  /// One call. Returns 0, or the kernel's error code.
  int run();

  /// Tests only: every later call ends with this work.
  void after_each_call(std::function<void()> work) { after_ = std::move(work); }

 private:
  Kernel kernel_ = nullptr;
  std::unique_ptr<KernelContext*> context_;
  std::vector<KernelBuffer> buffers_;
  std::vector<std::vector<KernelDimension>> dimensions_;
  std::vector<void*> arguments_;
  std::unique_ptr<HostKernel> host_;
  std::function<void()> after_;
};

}  // namespace opbench
