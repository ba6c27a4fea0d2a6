#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "engines/runtime/host_kernel.h"
#include "engines/runtime/kernel_call.h"
#include "engines/runtime/kernel_runtime.h"
#include "engines/runtime/program.h"
#include "engines/runtime/thread_pool.h"

namespace opbench {

/// Memory in pages of its own, freed with this object.
class PageBuffer {
 public:
  explicit PageBuffer(size_t bytes)
      : data_(static_cast<std::byte*>(allocate_pages(bytes))), bytes_(bytes) {}
  PageBuffer(PageBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  PageBuffer& operator=(PageBuffer&&) = delete;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer() { free_pages(data_, bytes_); }
  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  std::byte* data_;
  size_t bytes_;
};

/// What a test has a kernel do instead of its work alone.
enum class Fault { kNone, kCrash, kHang, kOutOfBounds, kWrong, kSwapChannels, kOutOfMemory, kSlow };

/// `crash`, `out-of-bounds`, `swap-channels`, `out-of-memory`, `slow-3`, …; kNone for another word.
Fault parse_fault(std::string_view word);

/// A step with its memory: what one call needs, made ready before any is timed.
class BoundStep {
 public:
  BoundStep(Kernel kernel, KernelContext* context, size_t arguments);
  BoundStep(BoundStep&&) = default;

  void bind(size_t index, const Slot& slot, std::byte* memory);
  void bind_host(HostKernel kernel) { host_ = std::make_unique<HostKernel>(std::move(kernel)); }

  /// One call; anything but 0 is an error code of the kernel.
  int run();

  /// From now on every call does that much work more (extra_work.h).
  void slow_down(int64_t extra_steps) { extra_steps_ = extra_steps; }
  int64_t extra_steps() const { return extra_steps_; }

  /// From now on calls misbehave; `memory` is the result, which lies there as in `result`.
  void inject(Fault fault, const Slot& result, std::byte* memory);

 private:
  Kernel kernel_;
  std::unique_ptr<KernelContext*> context_;
  std::vector<KernelBuffer> buffers_;
  std::vector<std::vector<KernelDimension>> dimensions_;
  std::vector<void*> arguments_;
  std::unique_ptr<HostKernel> host_;
  int64_t extra_steps_ = 0;
  Fault fault_ = Fault::kNone;
  const Slot* result_ = nullptr;
  std::byte* result_memory_ = nullptr;
};

struct ExecutorOptions {
  int threads = 1;
  std::vector<int> cpus;
  size_t shift_bytes = 0;  ///< where in a page buffers begin: varies between processes
  int fault_step = -1;     ///< tests only: the step that misbehaves
  Fault fault = Fault::kNone;
  double slow_share = 0;  ///< of kSlow: extra work, as a share of the kernel's own time
};

/// The static executor (`default`): runs the steps of a package one after the other.
class Executor {
 public:
  /// `kInvalidInput` for a folder that is no package or whose kernels do not load.
  static Result<std::unique_ptr<Executor>> load(const std::filesystem::path& package,
                                                const ExecutorOptions& options);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor();

  const Program& program() const { return program_; }
  ThreadPool& pool() { return *pool_; }
  /// Copies the tensor of graph input `index`, dense row-major.
  Result<void> set_input(size_t index, const Tensor& tensor);
  /// A copy of graph input `index`.
  Tensor input(size_t index) const;
  /// A copy of graph output `index`.
  Tensor output(size_t index) const;

  /// One run of the model; returns the first error code of a kernel, else 0.
  int run();

  /// The same with a clock reading between steps: `step_s[i]` receives the time of step i.
  int run_timed(std::span<double> step_s);

  /// The step with buffers of its own for everything but weights, filled with values in -1 … 1.
  Result<BoundStep*> alone(size_t step);

  /// Where all lies that is no weight: of the model, or of a step that `alone` has made.
  std::span<const std::byte> activations(std::optional<size_t> step = {}) const;

  /// One call of a step on the operands that are no weights (in order; logical, dense), guards
  /// around all it may write; `cpu_s`: CPU time of this thread. kRunError if it fails or one is
  /// overwritten.
  Outcome<Tensor> run_checked(size_t step, const std::vector<Tensor>& operands, double* cpu_s = {});

 private:
  Executor() = default;
  Result<void> load_kernels(const std::filesystem::path& package);
  Result<void> slow_down_a_step();
  Result<BoundStep> bind(const Step& step, const std::vector<std::byte*>& memory);
  Result<BoundStep> bind_kernel(const Step& step, const std::vector<std::byte*>& memory);
  std::byte* memory_of(const Slot& slot) const;

  ExecutorOptions options_;
  int64_t extra_steps_ = 0;  ///< of the step that is made slow
  Program program_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<KernelContext> context_;
  std::unique_ptr<PageBuffer> arena_;
  std::unique_ptr<PageBuffer> weights_;
  void* library_ = nullptr;
  std::vector<BoundStep> steps_;
  struct Alone;
  std::vector<std::unique_ptr<Alone>> alone_;
};

/// Between a tensor's dense row-major form and the slot's layout; lanes past the last channel: 0.
void store_in_slot(const Slot& slot, const Tensor& tensor, std::byte* memory);
Tensor load_from_slot(const Slot& slot, const std::byte* memory);

/// Exchanges channels 0 and 1 (dimension 1) of what lies in the slot; nothing with fewer than two.
void swap_channels(const Slot& slot, std::byte* memory);

}  // namespace opbench
