#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/concat_parts.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

std::optional<Config> concat_default_config(const KernelSpec& spec) {
  return is_concat(spec) ? std::optional(Config{}) : std::nullopt;
}

/// The output's extent along the axis is the sum of the parts', which a plain tensor may leave
/// free.
bool takes_concat_free(const KernelSpec& spec) {
  if (spec.output_layout().block > 0) return are_free_axes_read(spec) && concat_axis_of(spec) == 1;
  KernelSpec others = spec;
  others.free.back().at(concat_axis_of(spec)) = 0;
  return are_free_axes_read(others);
}

/// The output's extents as it lies in memory, outermost first: along the axis the sum of the
/// parts'.
std::vector<Expr> concat_sizes_of(const KernelSpec& spec, const Shape& whole,
                                  KernelBuilder& builder) {
  const size_t axis = concat_axis_of(spec);
  const size_t first = *input_index(spec.workload, 0, 0);
  std::vector<Expr> sizes;
  for (size_t i = 0; i < whole.size(); ++i)
    sizes.push_back(i == axis ? Expr(narrow(whole[i]))
                              : builder.extent(first, narrow(whole.size() - 1 - i)));
  if (spec.free.empty() || spec.output_layout().block > 0) return sizes;
  sizes[axis] = 0;
  for (size_t part = 0; part < anchor_of(spec).inputs.size(); ++part)
    sizes[axis] = sizes[axis] + builder.sizes(*input_index(spec.workload, 0, part))[axis];
  return sizes;
}

constexpr int64_t kPiece = 8192;
constexpr int64_t kLong = 256;  ///< elements of a row that is copied by a call

/// A part: a run of elements in each row of the output.
struct Part {
  Func input;
  std::vector<Expr> first;  ///< a position of `input`, whose dimension 0 runs on over all elements
  Expr size;                ///< elements in a row
  int64_t length = 0;       ///< the same, of free ones the least
  Expr offset;              ///< of the run in the output's row

  Expr at(const Expr& element, const Expr& row) const {
    std::vector<Expr> position = first;
    position[0] = element + row * size;
    return input(position);
  }
};

/// Rows that do not fit a few vectors: the compiler makes of such a loop a call that copies memory,
/// which need not read what it overwrites.
void copy_long_rows(Func& out, const Part& part, const Var& row, int64_t rows) {
  const RDom r(0, part.size, "r");
  out(part.offset + r, row) = part.at(r, row);
  Halide::Stage stage = out.update(out.num_update_definitions() - 1);
  stage.allow_race_conditions();
  const RVar piece("piece"), inner("inner");
  if (part.length >= 2 * kPiece)
    stage.split(r.x, piece, inner, narrow(kPiece), TailStrategy::GuardWithIf).parallel(piece);
  else if (rows >= 2 && rows * part.length >= 2 * kPiece)
    stage.parallel(row, std::max(1, narrow(kPiece / part.length)), TailStrategy::GuardWithIf);
}

/// Rows of known length: whole steps of up to four vectors, the last of which begins where it fits
/// and copies again what the one before it has copied.
void copy_known_rows(Func& out, const Part& part, const Var& row, int64_t rows, int lanes) {
  const int length = narrow(part.length);
  int width = 1;
  while (2 * width <= std::min(length, 4 * lanes)) width *= 2;
  while (width > lanes && (length + width - 1) / width * width > length + length / 8) width /= 2;
  const int steps = (length + width - 1) / width;
  const RDom r(0, width, 0, steps, "r");
  const Expr start = r.y * width;
  const Expr element = (length % width == 0 ? start : Halide::min(start, length - width)) + r.x;
  out(part.offset + element, row) = part.at(element, row);
  Halide::Stage stage = out.update(out.num_update_definitions() - 1);
  stage.allow_race_conditions().reorder(r.x, r.y, row);
  if (width > lanes)
    stage.vectorize(r.x, lanes).unroll(r.x);
  else if (width > 1)
    stage.vectorize(r.x);
  constexpr int kMostUnrolled = 8;
  const RVar piece("piece");
  if (steps <= kMostUnrolled && width <= lanes)
    stage.unroll(r.y);
  else if (length >= 2 * kPiece)
    stage.split(r.y, piece, r.y, std::max(1, narrow(kPiece / width)), TailStrategy::GuardWithIf)
        .parallel(piece);
  if (length < 2 * kPiece && rows >= 2 && rows * length >= 2 * kPiece)
    stage.parallel(row, std::max(1, narrow(kPiece / length)), TailStrategy::GuardWithIf);
}

/// Rows of free length.
void copy_free_rows(Func& out, const Part& part, const Var& row, int64_t rows, int lanes) {
  const RDom r(0, part.size, "r");
  out(part.offset + r, row) = part.at(r, row);
  Halide::Stage stage = out.update(out.num_update_definitions() - 1);
  const RVar piece("piece"), inner("inner"), vector("vector");
  stage.allow_race_conditions();
  const bool is_long = part.length >= 2 * kPiece;
  RVar loop = r.x;
  if (is_long) {
    stage.split(r.x, piece, inner, narrow(kPiece), TailStrategy::GuardWithIf);
    loop = inner;
  }
  if (part.length >= lanes)
    stage.split(loop, loop, vector, lanes, TailStrategy::GuardWithIf).vectorize(vector);
  if (is_long)
    stage.parallel(piece);
  else if (rows >= 2 && rows * part.length >= 2 * kPiece)
    stage.parallel(row, std::max(1, narrow(kPiece / part.length)), TailStrategy::GuardWithIf);
}

/// One copying loop a part.
Func build_concat(const KernelSpec& spec, KernelBuilder& builder) {
  const size_t axis = concat_axis_of(spec);
  const Layout layout = spec.output_layout();
  const Shape whole = physical_shape(anchor_result(spec).shape, layout);
  const int64_t rows = product(whole, 0, axis);
  const std::vector<Expr> sizes = concat_sizes_of(spec, whole, builder);
  const Var i("i"), row("row");
  Func out("out");
  out(i, row) = Halide::undef<float>();
  Expr offset = 0;
  bool has_long = false;
  for (size_t index = 0; index < anchor_of(spec).inputs.size(); ++index) {
    const Shape shape = physical_shape(anchor_type(spec, index).shape, layout);
    const int64_t length = product(shape, axis, shape.size());
    if (length == 0) continue;
    const size_t operand = *input_index(spec.workload, 0, index);
    // Sizes of a part differ from the whole's along the axis alone.
    std::vector<Expr> part_sizes = sizes;
    part_sizes[axis] =
        is_free(spec, index, axis) ? builder.sizes(operand)[axis] : Expr(narrow(shape[axis]));
    const Expr size = product(part_sizes, axis, part_sizes.size());
    const Part part{builder.operand(operand), std::vector<Expr>(shape.size(), Expr(0)), size,
                    length, offset};
    const bool is_known = Halide::Internal::is_const(size);
    if (length >= kLong)
      copy_long_rows(out, part, row, rows);
    else
      (is_known ? copy_known_rows : copy_free_rows)(out, part, row, rows, builder.lanes());
    has_long = has_long || length >= kLong;
    offset = offset + size;
  }
  builder.set_output_sizes({product(sizes, axis, sizes.size()), product(sizes, 0, axis)});
  // LLVM would make vectors of rows, of elements far apart.
  if (spec.free.empty() && !has_long) builder.keep_loops();
  return out;
}

}  // namespace

ScheduleDef concat_schedule() {
  return {.name = "concat",
          .summary = "one copying loop a part",
          .default_config = concat_default_config,
          .takes_free = takes_concat_free,
          .priority = 5,
          .pack = nullptr,
          .build = build_concat};
}

}  // namespace opbench
