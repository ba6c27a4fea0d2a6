#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tensors/tensor.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// A kernel compiled, linked into a shared object and loaded into this process, which runs it as an
/// engine does: with its scratch memory, its pages and its threads (one until
/// `set_kernel_threads`).
class LoadedKernel {
 public:
  /// Compiles `spec`, which must name its schedule and config; each spec once in a process.
  static Result<LoadedKernel> load(const KernelSpec& spec);

  /// Loads what `compile` writes: the object at a path, a kernel of that name which takes the
  /// arguments that one of `spec` takes.
  using Compile =
      std::function<Result<void>(const std::string& function, const std::filesystem::path& object)>;
  static Result<LoadedKernel> load(const KernelSpec& spec, const Compile& compile);
  LoadedKernel(LoadedKernel&&) noexcept;
  LoadedKernel& operator=(LoadedKernel&&) noexcept;
  ~LoadedKernel();

  /// Hands over the inputs in the order of the workload's graph, dense and row-major: packs
  /// weights, converts layouts, fills the lanes past the last channel with a number that must not
  /// matter.
  Result<void> bind(const std::vector<Tensor>& inputs);

  /// From now on the kernel computes `workload`, which differs from its spec's in free extents.
  void take(const Workload& workload);

  /// The call, or the calls of a repeated step. Returns what the kernel returned: 0 is success.
  int call();

  /// The same with scratch memory between guards; an error if one was overwritten.
  Result<void> guarded_call();

  /// An output, dense and row-major. An error if anything around the output was overwritten or an
  /// element was not written; with `is_finite` also if an element, or a lane past the last channel,
  /// is NaN or infinite.
  Result<Tensor> output(size_t index = 0, bool is_finite = true) const;

  double compile_seconds() const;

 private:
  struct State;
  explicit LoadedKernel(std::unique_ptr<State> state);
  void bind_output(size_t index, size_t position);
  std::unique_ptr<State> state_;
};

/// Threads that the kernels' parallel loops use; the calling one is among them.
void set_kernel_threads(int threads);

/// The spec of a workload for a target (any form), every operand in the layout `block` if it is a
/// 4-D tensor with channels (weights and others: plain), completed by `choose_schedule`, or with
/// `schedule` and its default config for so many threads.
Result<KernelSpec> kernel_spec(const std::string& workload, const std::string& target,
                               const std::string& schedule = "", bool is_blocked = true,
                               int threads = 1);

/// Values for every input: uniform in [-1, 1], bytes over their whole range, int32 in ±1000; equal
/// for equal seeds.
std::vector<Tensor> random_inputs(const Workload& workload, uint64_t seed);

/// max|kernel - reference| / max|reference| on random inputs, of the worst output; the kernel's
/// failure as an error. For a target that this machine cannot run the kernel is compiled and
/// counted (kernels_not_run.h), and the error is 0.
Result<double> kernel_error(const KernelSpec& spec, uint64_t seed = 1);

/// The same on these inputs.
Result<double> kernel_error(const KernelSpec& spec, const std::vector<Tensor>& inputs);

}  // namespace opbench
