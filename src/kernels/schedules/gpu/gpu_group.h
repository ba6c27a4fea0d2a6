#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
class Func;
class Var;
}  // namespace Halide

// Kernels for GPUs run over one dimension of tasks, each of which is a thread's: an element, a tile
// of outputs, a row. A work group has `group` of them.

namespace opbench {

constexpr const char* kGroupKnob = "group";

/// Threads of a work group that devices of the target take: what it says (`max_num_threads`), at
/// most what every GPU takes. A larger group fails at its launch only.
int64_t largest_group(const Target& target);

/// Several sub-groups of any GPU, as far as the target takes so many threads.
int64_t default_group(const Target& target);

KnobRange group_range(const Target& target);

/// `kInvalidInput` for a group of more threads than devices of the target take.
Result<void> check_group(const KernelSpec& spec);

/// The same as a ScheduleDef's functions, for schedules without another knob.
std::vector<KnobRange> group_knobs(const KernelSpec& spec);
Result<void> check_group_config(const KernelSpec& spec);

/// True if device code can compute all of the unit's types and steps: plain tensors of float32,
/// bool and integers.
bool is_for_gpu(const KernelSpec& spec);

/// True if the anchor has no operand `operand`, or reads it from a buffer. A constant of the code
/// would be copied to the device with every call.
bool is_argument(const KernelSpec& spec, size_t operand);

/// Makes the loops `outer` (inner to outer, `tasks` rounds in all) threads of groups of the size
/// that the config says, and returns the variable of the threads. All other loops of `func` must be
/// inside.
Halide::Var spread_over_threads(Halide::Func& func, const std::vector<Halide::Var>& outer,
                                int64_t tasks, const Config& config);

}  // namespace opbench
