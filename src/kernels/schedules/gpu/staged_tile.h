#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
class Func;
class RVar;
class Stage;
class Var;
}  // namespace Halide

// Kernels for GPUs that stage operands in local memory, as those of TVM's templates do. An axis of
// the output is split in blocks, virtual threads, threads and neighbours. Every thread holds the
// sums of its virtual threads and neighbours in registers while the block goes through the
// reduction, slice by slice: its threads stage a slice of both operands, then each of them adds to
// its sums (dense_accumulators.h).

namespace opbench {

/// Sums that a thread holds at a time. A thread with more of them computes parts of them, one after
/// the other, because loops over sums must be unrolled: only indices that are constants keep an
/// array in registers.
constexpr int64_t kMostHeldSums = 256;

/// How one axis of the output is split; the loops of axis "x" are xb, xp, xv, xt and xi.
struct GpuAxis {
  std::string name;
  int64_t parts = 1;  ///< of a block, that the block computes one after the other
  int64_t virtual_threads = 1;
  int64_t threads = 1;
  int64_t inner = 1;

  int64_t part() const { return virtual_threads * threads * inner; }
  int64_t tile() const { return parts * part(); }  ///< of a block
};

/// The split `knob` of a template in three or four parts: its sizes but the first.
GpuAxis gpu_axis(const std::string& name, const Config& config, const std::string& knob);

/// `kInvalidInput` unless the sizes of the split `knob` in `count` parts divide `extent` together.
Result<void> check_split(const Config& config, const std::string& knob, size_t count,
                         int64_t extent);

/// True if all operands of the anchor are arguments of the kernel: a constant would be copied to
/// the device with every call.
bool reads_arguments(const KernelSpec& spec);

/// What a work group may use: what the target says (`max_num_threads`,
/// `max_shared_memory_per_block`), else the least that TVM and OpenCL assume.
struct GroupLimits {
  int64_t threads = 256;
  int64_t threads_z = 64;
  int64_t local_bytes = 32768;
};
GroupLimits group_limits(const Target& target);

/// `kInvalidInput` when a group of these axes (x, y, z) has more threads than the target allows, or
/// uses more local memory.
Result<void> check_group_limits(const Target& target, const std::vector<GpuAxis>& axes,
                                int64_t local_bytes);

/// Gives every axis so many parts that a thread holds at most `kMostHeldSums` sums. Tiles and
/// threads stay as they are.
void limit_sums(std::vector<GpuAxis>& axes);

/// Sums that a thread holds.
int64_t sums_of(const std::vector<GpuAxis>& axes);

/// Schedules the output, a Func over the axes (x, y and perhaps z of the group) and `rest`, whose
/// rounds are blocks too (empty: there is none).
void schedule_blocks(Halide::Func& out, const std::vector<GpuAxis>& axes, const std::string& rest);

/// A reduction variable and how many of its steps are one slice, as loops from outer to inner.
struct GpuSteps {
  std::string name;  ///< its loops are NAMEo for slices, NAME0, NAME1, … inside
  std::vector<int64_t> inner;
};

/// A loop of a reduction by its name.
struct GpuLoop {
  std::string name;
  int64_t extent = 1;
  bool may_unroll = true;
};

/// Schedules `sum`, defined by one update over `steps` (innermost first, with their variables), as
/// sums of `out` in the threads' registers. The innermost loops are unrolled while a step has at
/// most `most_unrolled` products. Returns the loop over slices, at which operands are staged.
Halide::RVar schedule_sums(Halide::Func& sum, Halide::Func& out, const std::vector<GpuAxis>& axes,
                           const std::vector<GpuSteps>& steps,
                           const std::vector<Halide::RVar>& variables, int64_t most_unrolled);

/// Schedules kernels that stage nothing: a thread computes the parts of its tile one after the
/// other, each in registers. `out` and `rest` as in schedule_blocks; `sum`, defined by one update
/// over the loops `reduction` (inner to outer), which are unrolled while a step has at most
/// `most_unrolled` products. The neighbours along `vector` become a vector (empty: none do).
void schedule_thread_tiles(Halide::Func& out, Halide::Func& sum, const std::vector<GpuAxis>& axes,
                           const std::string& rest, const std::vector<GpuLoop>& reduction,
                           int64_t most_unrolled, const std::string& vector);

/// Schedules a staged operand's elements, `extent` in all, as one run that is cut for the threads
/// along z, then y, then x: each loads neighbours.
void stage_in_runs(Halide::Func& operand, const std::vector<Halide::Var>& dimensions,
                   int64_t extent, const std::vector<GpuAxis>& axes);

/// Schedules a staged operand of two dimensions: rows for the threads along y, columns for those
/// along x, each of which loads `run` neighbours at a time (0: its whole share).
void stage_rows(Halide::Func& operand, const Halide::Var& column, int64_t columns,
                const Halide::Var& row, int64_t rows, const std::vector<GpuAxis>& axes,
                int64_t run);

}  // namespace opbench
