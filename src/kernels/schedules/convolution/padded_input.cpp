#include "kernels/schedules/convolution/padded_input.h"

#include <halide14/Halide.h>

namespace opbench {

using Halide::Expr;

namespace {

Expr is_inside(const std::vector<Expr>& places, const std::vector<int>& extents) {
  Expr all = Halide::Internal::const_true();
  for (size_t d = 0; d < places.size(); ++d) all = all && places[d] >= 0 && places[d] < extents[d];
  return all;
}

}  // namespace

Expr padded(const std::vector<Expr>& places, const std::vector<int>& extents,
            const ReadInput& read) {
  std::vector<Expr> at;
  for (size_t d = 0; d < places.size(); ++d)
    at.push_back(Halide::clamp(Halide::likely(places[d]), 0, extents[d] - 1));
  return Halide::select(is_inside(places, extents), Halide::likely(read(at)), 0.0f);
}

Expr padded_by_table(const std::vector<Expr>& places, const std::vector<int>& extents,
                     const std::vector<Halide::Var>& vars, const ReadInput& read) {
  Expr offset = 0;
  int plane = 1;
  for (size_t d = 0; d < places.size(); ++d) {
    offset = offset + places[d] * plane;
    plane *= extents[d];
  }
  Halide::Func table("table");
  table(vars) = Halide::select(is_inside(places, extents), offset, -1);
  table.compute_root();
  const Expr found = table(std::vector<Expr>(vars.begin(), vars.end()));
  std::vector<Expr> at(places.size(), Expr(0));
  at[0] = Halide::clamp(found, 0, plane - 1);  // past the last element the table may hold anything
  return Halide::select(found >= 0, read(at), 0.0f);
}

}  // namespace opbench
