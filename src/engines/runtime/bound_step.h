#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engines/runtime/host_kernel.h"
#include "engines/runtime/kernel_call.h"
#include "engines/runtime/kernel_runtime.h"
#include "engines/runtime/program.h"
#include "model/operators/workloads/call_repeat.h"

namespace opbench {

/// A step with its memory: everything that its calls need, prepared before they are timed.
class BoundStep {
 public:
  BoundStep(Kernel kernel, KernelContext* context, size_t arguments);
  explicit BoundStep(HostKernel kernel);
  BoundStep(BoundStep&&) = default;

  void bind(size_t index, const Slot& slot, std::byte* memory);

  /// From now on `run` makes the calls of `repeat`, whose tensors are bound.
  void repeat(const CallRepeat& repeat);

  /// The step's call or calls. Returns 0, or the kernel's error code, at which calls end.
  int run();

  /// Tests only: every later call ends with this work.
  void after_each_call(std::function<void()> work) { after_ = std::move(work); }

 private:
  /// A buffer that lies elsewhere at every call.
  struct Moving {
    KernelBuffer* buffer = nullptr;
    uint8_t* first = nullptr;  ///< where the first call sees it
    int64_t stride = 0;        ///< bytes a call
  };
  struct Fed {
    KernelBuffer* argument = nullptr;
    uint8_t* first = nullptr;
    const KernelBuffer* result = nullptr;
  };

  int call_all();

  Kernel kernel_ = nullptr;
  std::unique_ptr<KernelContext*> context_;
  std::vector<KernelBuffer> buffers_;
  std::vector<std::vector<KernelDimension>> dimensions_;
  std::vector<int64_t> bytes_;  ///< of the slots
  std::vector<void*> arguments_;
  int64_t count_ = 1;
  std::vector<Moving> moving_;
  std::vector<Fed> fed_;
  std::unique_ptr<HostKernel> host_;
  std::function<void()> after_;
};

}  // namespace opbench
