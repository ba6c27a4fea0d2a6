#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/errors/error.h"
#include "engines/runtime/bound_step.h"
#include "engines/runtime/device_api.h"
#include "engines/runtime/device_values.h"
#include "engines/runtime/page_buffer.h"
#include "engines/runtime/program.h"
#include "engines/runtime/teams/thread_pool.h"
#include "engines/runtime/weight_pages.h"

namespace opbench {

struct LoadOptions {
  int threads = 1;
  std::vector<int> cpus;
  size_t shift_bytes = 0;       ///< where in a page buffers begin
  DeviceApi* device = nullptr;  ///< for steps on a device, and outlives the package; null: none
};

/// A package in memory: its program, kernels, weights and arena, and the threads that kernels use.
/// An executor runs it; a unit bench runs single steps of it. Both must end before it does, and
/// before it takes other extents.
class LoadedPackage {
 public:
  /// `kInvalidInput` for a folder that is no package or whose kernels do not load.
  static Result<std::unique_ptr<LoadedPackage>> load(const std::filesystem::path& folder,
                                                     const LoadOptions& options);
  /// Switches to the program of another package of this model, made for other extents. Weights,
  /// kernels in memory and threads stay. Memory for values grows only where it is too small, and is
  /// zero as after loading. Steps bound before must not run again. `kInvalidInput` as `load`, or
  /// when the packages do not share their weights; then nothing has changed.
  Result<void> take_extents(const std::filesystem::path& folder);

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
  /// The same, be it on the host or on the device.
  TensorPlace place_of(const Slot& slot) const;
  /// The device, if a step runs there; else null.
  DeviceApi* device() const { return device_values_ ? options_.device : nullptr; }

  /// The memory of all values on the host that are not weights.
  std::span<const std::byte> arena() const { return {arena_->data(), arena_size()}; }

  /// The step with the memory that a run of the model gives it.
  Result<BoundStep> bind(const Step& step);
  /// The same with loops that the context's team shares; the context must outlive the step.
  Result<BoundStep> bind(const Step& step, KernelContext& context);
  /// The step with other memory: one address an argument, then one a result.
  Result<BoundStep> bind(const Step& step, const std::vector<std::byte*>& memory);
  /// The step with other memory, and with loops that the context's team shares.
  Result<BoundStep> bind(const Step& step, const std::vector<std::byte*>& memory,
                         KernelContext& context);
  /// The step with places on the host and on the device, in the same order.
  Result<BoundStep> bind_places(const Step& step, const std::vector<TensorPlace>& places);
  /// The same; failures are told to the context, whose team shares the loops of host kernels.
  Result<BoundStep> bind_places(const Step& step, const std::vector<TensorPlace>& places,
                                KernelContext& context);
  /// Where a run of the model keeps the tensors of a step: its arguments, then its results.
  std::vector<TensorPlace> places_of(const Step& step) const;

  /// Tests only: called with every step bound from now on and the memory of its first result.
  using BindHook = std::function<void(const Step&, std::byte* result, BoundStep&)>;
  void on_bind(BindHook hook) { on_bind_ = std::move(hook); }

 private:
  LoadedPackage() = default;
  Result<void> take_memory();
  size_t arena_size() const {
    return static_cast<size_t>(program_.arena_bytes) + options_.shift_bytes + 64;
  }
  Result<Kernel> find_kernel(const Step& step) const;
  Result<BoundStep> bind_kernel(const Step& step, const std::vector<std::byte*>& memory,
                                KernelContext& context);

  LoadOptions options_;
  Program program_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<KernelContext> context_;
  std::unique_ptr<PageBuffer> arena_;
  WeightPages weights_;
  std::optional<DeviceValues> device_values_;
  std::vector<void*> libraries_;  ///< of kernels, each once
  void* library_ = nullptr;       ///< among them, of this program; null: it has no kernels
  BindHook on_bind_;
};

}  // namespace opbench
