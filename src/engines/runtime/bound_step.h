#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engines/runtime/device_api.h"
#include "engines/runtime/host_kernel.h"
#include "engines/runtime/kernel_call.h"
#include "engines/runtime/kernel_runtime.h"
#include "engines/runtime/program.h"
#include "model/operators/workloads/call_repeat.h"

namespace opbench {

/// Where a tensor of a step lies: in the host's memory, or in a block of a device.
struct TensorPlace {
  std::byte* host = nullptr;
  DeviceBlock* block = nullptr;  ///< null: on the host
  int64_t offset = 0;            ///< in the block
};

/// A step with its memory: everything that its calls need, prepared before they are timed.
class BoundStep {
 public:
  BoundStep(Kernel kernel, KernelContext* context, size_t arguments);
  explicit BoundStep(HostKernel kernel);
  /// Copies a tensor between the two memories. The context is told what failed.
  BoundStep(const Step& step, const TensorPlace& from, const TensorPlace& to, int64_t bytes,
            KernelContext& context);
  BoundStep(BoundStep&&) = default;

  void bind(size_t index, const Slot& slot, std::byte* memory);
  /// The same on a device, in memory that is newer there than on the host.
  void bind(size_t index, const Slot& slot, const DeviceMemory& memory);

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

  /// A copy between memories.
  struct Copy {
    StepCopy direction;
    TensorPlace from, to;
    int64_t bytes;
    KernelContext* context;
    int run() const;
  };

  KernelBuffer& bind_dimensions(size_t index, const Slot& slot);
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
  std::unique_ptr<Copy> copy_;
  std::function<void()> after_;
};

}  // namespace opbench
