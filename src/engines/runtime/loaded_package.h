#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/errors/error.h"
#include "engines/runtime/bound_step.h"
#include "engines/runtime/page_buffer.h"
#include "engines/runtime/program.h"
#include "engines/runtime/thread_pool.h"

namespace opbench {

struct LoadOptions {
  int threads = 1;
  std::vector<int> cpus;
  size_t shift_bytes = 0;  ///< where in a page buffers begin
};

/// A package in memory: its program, kernels, weights and arena, and the threads that kernels use.
/// An executor runs it; a unit bench runs single steps of it. Both must end before it does.
class LoadedPackage {
 public:
  /// `kInvalidInput` for a folder that is no package or whose kernels do not load.
  static Result<std::unique_ptr<LoadedPackage>> load(const std::filesystem::path& folder,
                                                     const LoadOptions& options);
  LoadedPackage(const LoadedPackage&) = delete;
  LoadedPackage& operator=(const LoadedPackage&) = delete;
  ~LoadedPackage();

  const Program& program() const { return program_; }
  const LoadOptions& options() const { return options_; }
  ThreadPool& pool() { return *pool_; }
  KernelContext& context() { return *context_; }

  /// Copies the tensor of graph input `index`, dense row-major.
  Result<void> set_input(size_t index, const Tensor& tensor);
  /// A copy of graph input `index`.
  Tensor input(size_t index) const;
  /// A copy of graph output `index`.
  Tensor output(size_t index) const;

  /// Where a run of the model keeps the slot.
  std::byte* memory_of(const Slot& slot) const;
  /// The memory of all values that are not weights.
  std::span<const std::byte> arena() const { return {arena_->data(), arena_->bytes()}; }

  /// The step with the memory that a run of the model gives it.
  Result<BoundStep> bind(const Step& step);
  /// The same with loops that the context's team shares; the context must outlive the step.
  Result<BoundStep> bind(const Step& step, KernelContext& context);
  /// The step with other memory: one address an argument, then one a result.
  Result<BoundStep> bind(const Step& step, const std::vector<std::byte*>& memory);

  /// Tests only: called with every step bound from now on and the memory of its first result.
  using BindHook = std::function<void(const Step&, std::byte* result, BoundStep&)>;
  void on_bind(BindHook hook) { on_bind_ = std::move(hook); }

 private:
  LoadedPackage() = default;
  Result<void> load_kernels(const std::filesystem::path& folder);
  Result<BoundStep> bind(const Step& step, const std::vector<std::byte*>& memory,
                         KernelContext& context);
  Result<BoundStep> bind_kernel(const Step& step, const std::vector<std::byte*>& memory,
                                KernelContext& context);

  LoadOptions options_;
  Program program_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<KernelContext> context_;
  std::unique_ptr<PageBuffer> arena_;
  std::unique_ptr<PageBuffer> weights_;
  void* library_ = nullptr;
  BindHook on_bind_;
};

}  // namespace opbench
