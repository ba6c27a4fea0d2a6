#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
class Func;
class ImageParam;
class Var;
}  // namespace Halide

namespace opbench {

/// The dimensions of an operand's buffer as Halide sees it. Its passes walk over half a dozen
/// definitions and a check for every dimension of every buffer, from the first to the last: flat
/// ones compile with a twelfth fewer instructions. Shaped ones have extents to be looked at and
/// changed.
enum class OperandBuffers { kFlat, kShaped };

/// What a workload needs around the anchor's arithmetic: operands as Halide buffers, the
/// elementwise steps after the anchor, the object file. Dimensions are in Halide's order, innermost
/// first: (x, y, c, n) for a plain 4-D tensor, (ci, x, y, cb, n) for a blocked one. All minima are
/// 0, all extents and strides compile-time constants but for free axes, all buffers on 64-byte
/// boundaries.
///
/// Its members throw Halide's exceptions and need Halide loaded (halide_library.h);
/// `compile_kernel` loads it and catches them.
class KernelBuilder {
 public:
  explicit KernelBuilder(const KernelSpec& spec, OperandBuffers buffers = OperandBuffers::kFlat);
  ~KernelBuilder();
  KernelBuilder(const KernelBuilder&) = delete;
  KernelBuilder& operator=(const KernelBuilder&) = delete;

  /// Graph input `index` in the layout that the spec gives it: a Func that reads its buffer.
  Halide::Func operand(size_t index);

  /// The buffer that it reads.
  Halide::ImageParam buffer(size_t index);

  /// The extent of its dimension `dimension`: what a shaped buffer says.
  Halide::Expr extent(size_t index, int dimension);

  /// The extents of graph input `index`, and of the output, as ONNX counts axes: constants, but
  /// for those that the spec leaves free.
  std::vector<Halide::Expr> sizes(size_t index);
  std::vector<Halide::Expr> output_sizes();

  /// The output's extents as it lies in memory, innermost first.
  std::vector<Halide::Expr> output_extents();

  /// Graph input `index` as the schedule's own `pack` lays it out, extents innermost first.
  Halide::Func packed(size_t index, const std::vector<int64_t>& extents);

  /// The same with elements of another type than the operand has in the graph.
  Halide::Func packed(size_t index, const std::vector<int64_t>& extents, DataType type);

  /// The same for weights that the loops read in the order in which they lie: kernels for x86 ask
  /// for them before they read them (prefetch.h) if the config says so (ahead_knob.h). `again`: the
  /// variables of the loops that read the same weights again.
  Halide::Func packed_stream(size_t index, const std::vector<int64_t>& extents,
                             std::vector<std::string> again);

  /// The steps `first_step` … of the workload applied to `value`, the result of the step before, at
  /// the element `position` of the output. `first_step` 0: a unit without an anchor; `value` is
  /// not read.
  Halide::Expr epilogue(const Halide::Expr& value, const std::vector<Halide::Expr>& position,
                        size_t first_step = 1);

  /// The extents, innermost first, under which the returned Func writes the output: the same
  /// elements with neighbouring dimensions merged, or those of one call's part. Default: those of
  /// the output's layout. Sizes may be free. All outputs have them.
  void set_output_extents(const std::vector<int64_t>& extents);
  void set_output_sizes(const std::vector<Halide::Expr>& extents);

  /// Vector lanes of float32 on the target.
  int lanes() const;

  /// For schedules that vectorize and unroll all that matters: LLVM leaves loops as they are, which
  /// takes it less time.
  void keep_loops();

  /// For schedules that sum products of bytes on targets that have instructions for it
  /// (has_dot_products).
  void use_dot_products();

  /// Gives the outputs' buffers their extents and strides as constants.
  void fix_output(Halide::Func& output) const;

  /// Compiles the pipeline that ends in `output` for the spec's target, with the arguments that a
  /// kernel has (see ScheduleDef).
  void write_object(const Halide::Func& output, const std::string& function,
                    const std::filesystem::path& object);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace opbench
