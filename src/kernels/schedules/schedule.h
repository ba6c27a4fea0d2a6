#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/tables/table.h"
#include "base/tensors/tensor.h"
#include "kernels/schedules/kernel_spec.h"
#include "machine/target/device_type.h"
#include "model/operators/workloads/call_repeat.h"
#include "model/operators/workloads/workload.h"

namespace Halide {
class Func;
}

namespace opbench {

class KernelBuilder;

/// A knob with every value that a tuner may give it, the default among them.
struct KnobRange {
  std::string name;
  std::vector<int64_t> values;
};

/// One way to compute a kind of workload: which it takes, its default config, its code. Of these
/// functions only `build` uses Halide, which is loaded for it.
///
/// A kernel is compiled without Halide's runtime, bounds queries and asserts, with a user context,
/// and is called through Halide's argv form: `int NAME_argv(void** arguments)` with a pointer to
/// the user context, then a halide_buffer_t* for every input of the workload's graph in order
/// (weights in the form that `pack` gave them), then the output; on x86 on a stack that ends on a
/// cache line (aligned_stack.h). Every extent and stride is a compile-time constant, but for those
/// that depend on a free axis: the kernel reads these extents from its buffers. Every buffer lies
/// on a 64-byte boundary; the output shares no memory with an input, as pixels at the end of a row
/// may be computed and written twice. `repeat` changes the last two for kernels of one step.
///
/// A kernel for a GPU keeps Halide's checks, since some tell that a launch failed, needs Halide's
/// runtime for its device (codegen/runtime_object.h), and takes buffers that have a `device` and
/// its interface. Its work groups are checked before it is built: one that is too large fails at
/// its launch only.
struct ScheduleDef {
  std::string name;  ///< "conv2d_winograd"
  std::string summary;

  /// What its kernels run on. `default_config` is not asked for other targets.
  std::vector<DeviceType> device_types = {DeviceType::kCpu};

  /// The config that is taken without measuring, or nothing when this schedule cannot compute
  /// `spec.workload` on `spec.layouts` for `spec.target` (its `schedule` and `config` are not
  /// read).
  std::optional<Config> (*default_config)(const KernelSpec& spec) = nullptr;

  /// Whether `build` can leave open the extents that `spec.free` names, for a spec that
  /// `default_config` takes. Null: it never can.
  bool (*takes_free)(const KernelSpec& spec) = nullptr;

  /// What there is to choose for a spec that `default_config` takes, beside the default;
  /// `check_config` tells which values go together. Null: nothing.
  std::vector<KnobRange> (*knobs)(const KernelSpec& spec) = nullptr;

  /// The seed configs: trials begin with them. They differ from the default in several knobs at
  /// once, so that a search in steps of one or two knobs would not find them. May repeat the
  /// default. Null: none.
  std::vector<Config> (*alternatives)(const KernelSpec& spec) = nullptr;

  /// Among those that can, the highest priority is taken. Generic fallbacks have 0.
  int priority = 0;

  /// In its place on CUDA devices, all of which have fast local memory.
  std::optional<int> priority_on_cuda = {};

  /// Its kernels write every output of the workload, in order, and `build` returns a Func with one
  /// value for each. Others are not asked for workloads of several outputs.
  bool has_all_outputs = false;

  /// The calls that compute the workload, which `default_config` takes. A part of a moving tensor
  /// begins where the one before ends, on whatever boundary that is. A result that is fed back and
  /// does not move shares its memory with the argument: the kernel must read an element for the
  /// last time before it writes it. Null: one call.
  CallRepeat (*repeat)(const KernelSpec& spec) = nullptr;

  /// The weight operand `index` (position among the graph's inputs) as the kernel reads it. Null:
  /// as it stands. Returned tensors are flat float32 arrays of any shape. Called by `pack_weight`
  /// alone, with a valid config.
  Result<Tensor> (*pack)(const KernelSpec& spec, size_t index, const Tensor& weight) = nullptr;

  /// `kInvalidInput` when the config is not valid for the workload. Null: Halide's word is enough.
  Result<void> (*check_config)(const KernelSpec& spec) = nullptr;

  /// About how many cycles a call takes on one core with `spec.config`, which is valid: tells
  /// configs of one workload apart, no more (tile_estimate.h). Null: not known.
  double (*estimate)(const KernelSpec& spec) = nullptr;

  /// Defines and schedules the pipeline and returns its output. Throws Halide's exceptions.
  Halide::Func (*build)(const KernelSpec& spec, KernelBuilder& builder) = nullptr;
};

/// Where `compile` writes in process `pid` before the object gets its name. A process that is
/// killed leaves this file.
std::filesystem::path unfinished_object(const std::filesystem::path& object, int pid);

/// Every schedule, from the files `<x>_schedule.cpp`.
const Table<ScheduleDef>& schedule_table();

/// Completes `spec` with its default kernel: the schedule of highest priority that takes it, with
/// that schedule's default config. Kernels whose text is in `refused` are skipped. False when there
/// is none; the unit then runs its operators' references.
bool choose_schedule(KernelSpec& spec, const std::set<std::string>& refused = {});

/// The calls that the kernel by `spec.schedule` needs.
CallRepeat repeat_of(const KernelSpec& spec);

/// The schedule's priority for the target.
int priority_for(const ScheduleDef& schedule, const Target& target);

/// True if the schedule makes kernels for the kind of device that runs code for the target.
bool makes_kernels_for(const ScheduleDef& schedule, const Target& target);

/// True if the schedule's kernels write as many outputs as the workload has.
bool gives_outputs(const ScheduleDef& schedule, const Workload& workload);

/// `kInvalidInput` when the schedule is unknown or refuses the config.
Result<void> check_spec(const KernelSpec& spec);

/// The weight operand `index` (position among the graph's inputs) as the kernel reads it.
/// `kInvalidInput` as check_spec.
Result<Tensor> pack_weight(const KernelSpec& spec, size_t index, const Tensor& weight);

/// Compiles the kernel by `spec.schedule` to an object file that exports `function` and
/// `function`_argv. `kInvalidInput` when the schedule is unknown, or refuses the config, or Halide
/// does, with its reason; `kSystem` when Halide itself fails or the object cannot be written;
/// `kEnvironment` when there is no Halide.
Result<void> compile_kernel(const KernelSpec& spec, const std::string& function,
                            const std::filesystem::path& object);

/// Changes with every change of the module's sources: part of every kernel's cache key.
std::string schedule_version();

}  // namespace opbench
