#include "kernels/schedules/rows/row_extreme.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <limits>

namespace opbench {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Tuple;
using Halide::Var;

namespace {

constexpr int kRowExtremeVectors = 4;

}  // namespace

Expr ExtremeOrder::is_later_better(const Expr& value, const Expr& top) const {
  // Not strict_float: with it Halide 14 stores the value before it chooses the place.
  const Expr better = is_max ? top < value : value < top;
  return takes_last ? better || value == top : better;
}

struct RowExtreme::State {
  int lanes = 1, length = 1;
  Var lane = Var("lane"), row;
  RDom chunk, all;
  Func best = Func("best"), top = Func("top"), place = Func("place");
};

int RowExtreme::least_length(int lanes) { return kRowExtremeVectors * lanes; }

RowExtreme::RowExtreme(const ExtremeOrder& order, int length, int lanes, const Read& read,
                       const Var& row)
    : state_(std::make_unique<State>()) {
  const int width = kRowExtremeVectors * lanes;
  State& s = *state_;
  s.lanes = lanes;
  s.length = length;
  s.row = row;
  s.chunk = RDom(1, std::max((length + width - 1) / width - 1, 1), "chunk");
  s.all = RDom(0, width, "all");
  s.best(s.lane, row) = Tuple(read(s.lane), Expr(s.lane));
  // The last vectors end with the row.
  const Expr place = Halide::min(s.chunk * width, length - width) + s.lane;
  const Expr value = read(place), is_better = order.is_later_better(value, s.best(s.lane, row)[0]);
  s.best(s.lane, row) = Tuple(Halide::select(is_better, value, s.best(s.lane, row)[0]),
                              Halide::select(is_better, place, s.best(s.lane, row)[1]));
  const float worst = std::numeric_limits<float>::infinity() * (order.is_max ? -1.0F : 1.0F);
  const Expr of_lane = s.best(s.all, row)[0], at_lane = s.best(s.all, row)[1];
  s.top(row) = worst;
  s.top(row) = order.is_max ? Halide::max(s.top(row), of_lane) : Halide::min(s.top(row), of_lane);
  const int none = order.takes_last ? -1 : length;
  s.place(row) = none;
  const Expr at = Halide::select(of_lane == s.top(row), at_lane, none);
  s.place(row) = order.takes_last ? Halide::max(s.place(row), at) : Halide::min(s.place(row), at);
}

RowExtreme::~RowExtreme() = default;

Expr RowExtreme::place() const {
  // All are NaN: none is equal to the best.
  return state_->place(state_->row) % state_->length;
}

void RowExtreme::compute_at(Func& out, const Var& at) {
  State& s = *state_;
  for (Func* func : {&s.top, &s.place}) {
    func->compute_at(out, at);
    func->update().atomic().vectorize(s.all.x);
  }
  s.best.compute_at(out, at)
      .bound_extent(s.lane, kRowExtremeVectors * s.lanes)
      .vectorize(s.lane, s.lanes)
      .unroll(s.lane);
  s.best.update().reorder(s.lane, s.chunk.x).vectorize(s.lane, s.lanes).unroll(s.lane);
}

}  // namespace opbench
