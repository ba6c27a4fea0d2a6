#pragma once

#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
}  // namespace Halide

namespace opbench {

class KernelBuilder;

/// True if the anchor's operand is float32 and plain: computed, a weight as it stands, or a small
/// constant.
bool is_readable(const KernelSpec& spec, size_t operand);

/// True if the anchor has the operand at all.
bool has_operand(const KernelSpec& spec, size_t operand);

/// The element of such an operand at `position`, innermost first; constants become part of the
/// object.
Halide::Expr operand_value(const KernelSpec& spec, KernelBuilder& builder, size_t operand,
                           const std::vector<Halide::Expr>& position);

}  // namespace opbench
