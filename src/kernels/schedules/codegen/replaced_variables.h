#pragma once

#include <map>
#include <string>

namespace Halide {
struct Expr;
class Pipeline;
}  // namespace Halide

namespace opbench {

/// Puts expressions in the place of variables of the lowered code. Halide takes constraints of a
/// buffer's extents and strides that are no constants for facts to be checked: it goes on reading
/// the buffer.
void replace_variables(Halide::Pipeline& pipeline,
                       const std::map<std::string, Halide::Expr>& values);

}  // namespace opbench
