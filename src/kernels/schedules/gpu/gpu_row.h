#pragma once

#include <functional>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// Rows that a work group each computes together: a thread has every `group`th of the elements.
struct GroupRows {
  std::vector<Halide::Var> vars;  ///< that number the rows
  int length = 1;
  int group = 1;  ///< threads
};

enum class RowJoin { kSum, kMaximum };

/// The group for rows of this length: that of the config, fewer threads for short ones.
int group_of_row(const Config& config, int64_t length);

/// The sum or the maximum of `read(place)` over each row, in memory that the group shares: a part a
/// thread first, then all parts. Adds the Funcs that it is made of to `made`.
Halide::Func join_rows(RowJoin join, const GroupRows& rows,
                       const std::function<Halide::Expr(const Halide::Expr& place)>& read,
                       std::vector<Halide::Func>& made);

/// Runs `out`, whose dimensions are `place` and those of the rows, with a work group a row, and in
/// it what `join_rows` has made.
void spread_rows(Halide::Func& out, const Halide::Var& place, const GroupRows& rows,
                 std::vector<Halide::Func>& made);

}  // namespace opbench
