#pragma once

#include <functional>
#include <vector>

namespace Halide {
struct Expr;
class Var;
}  // namespace Halide

namespace opbench {

/// Reads the input at places along the axes of space, innermost first.
using ReadInput = std::function<Halide::Expr(std::vector<Halide::Expr> at)>;

/// The input at these places, 0 outside the extents. Loops over them are split where rows of the
/// input begin and end, so that vectors in between are plain loads.
Halide::Expr padded(const std::vector<Halide::Expr>& places, const std::vector<int>& extents,
                    const ReadInput& read);

/// The same by a table over `vars`, on which the places depend and which is made once: for vectors
/// whose elements are no neighbours in the input. `read` is asked with all places but the first 0,
/// which runs on over all axes.
Halide::Expr padded_by_table(const std::vector<Halide::Expr>& places,
                             const std::vector<int>& extents, const std::vector<Halide::Var>& vars,
                             const ReadInput& read);

}  // namespace opbench
