#include <halide14/Halide.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "model/operators/resize/resize_taps.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

constexpr size_t kResizeMostTaps = 8;

/// The taps of every output position along one axis, as many for each: the missing ones weigh 0.
struct TapTable {
  int64_t in = 1, out = 1;
  size_t count = 1;  ///< taps of a position
  std::vector<Taps> taps;
  bool is_kept = true;

  bool is_weighted() const {
    return std::ranges::any_of(taps, [](const Taps& of) { return of[0].weight != 1; });
  }
};

TapTable table_of(const ResizeRequest& request, const ResizeAxis& axis) {
  TapTable table{.in = axis.in, .out = axis.out, .is_kept = is_kept(request, axis)};
  for (int64_t i = 0; i < axis.out; ++i) {
    table.taps.push_back(taps_of(request, axis, i));
    table.count = std::max(table.count, table.taps.back().size());
  }
  for (Taps& taps : table.taps)
    while (taps.size() < table.count) taps.push_back({taps.empty() ? 0 : taps.back().at, 0});
  return table;
}

/// The tensor as [planes, y, x], of which the last two are resized.
struct Resized {
  int64_t planes = 1;
  TapTable y, x;
};

std::optional<Resized> resized_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const auto request = resize_request(call_of(node, spec.workload.graph, spec.workload.opset));
  if (!request || crops(*request) || request->axes.empty()) return std::nullopt;
  Resized resized;
  const size_t rank = request->axes.size();
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (!is_kept(*request, request->axes[i])) return std::nullopt;
    resized.planes *= request->axes[i].in;
  }
  if (rank > 1) resized.y = table_of(*request, request->axes[rank - 2]);
  resized.x = table_of(*request, request->axes[rank - 1]);
  return resized;
}

std::optional<Config> resize_default_config(const KernelSpec& spec) {
  if (!takes_anchor(spec, "Resize") && !takes_anchor(spec, "Upsample")) return std::nullopt;
  if (!is_plain(spec)) return std::nullopt;
  const std::optional<Resized> resized = resized_of(spec);
  if (!resized || std::max(resized->x.count, resized->y.count) > kResizeMostTaps)
    return std::nullopt;
  return Config{};
}

/// The weighted sum of `read(input position)` over the taps of output position `at`.
template <class Read>
Expr over_taps(const TapTable& table, const Expr& at, Read&& read) {
  if (table.is_kept) return read(at);
  const int out = narrow(table.out);
  Expr sum;
  for (size_t tap = 0; tap < table.count; ++tap) {
    Halide::Buffer<int> places(out);
    Halide::Buffer<float> weights(out);
    for (int i = 0; i < out; ++i) {
      places(i) = narrow(table.taps[static_cast<size_t>(i)][tap].at);
      weights(i) = static_cast<float>(table.taps[static_cast<size_t>(i)][tap].weight);
    }
    const Expr place = Halide::unsafe_promise_clamped(places(at), 0, narrow(table.in) - 1);
    const bool is_moved = table.count == 1 && !table.is_weighted();
    const Expr term = is_moved ? read(place) : read(place) * weights(at);
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

/// First between rows, which vectorizes, then along each row that comes of it.
Func build_resize(const KernelSpec& spec, KernelBuilder& builder) {
  const Resized resized = resized_of(spec).value();
  const int width = narrow(resized.x.in), height = narrow(resized.y.in);
  const Halide::Func input = builder.operand(*input_index(spec.workload, 0, 0));
  const Var x("x"), y("y"), plane("plane"), at("at");
  Func row("row"), out("out");
  row(x, y, plane) = over_taps(resized.y, y, [&](const Expr& place) {
    std::vector<Expr> position(anchor_type(spec, 0).shape.size(), Expr(0));
    position[0] = x + place * width + plane * (width * height);
    return Expr(input(position));
  });
  const Expr value =
      over_taps(resized.x, x, [&](const Expr& place) { return Expr(row(place, y, plane)); });
  const Shape& shape = output_type(spec.workload).shape;
  const Expr flat = x + y * narrow(resized.x.out) + plane * narrow(resized.x.out * resized.y.out);
  out(x, y, plane) = builder.epilogue(value, unflatten(flat, shape, 0, shape.size()));
  builder.set_output_extents({resized.x.out, resized.y.out, resized.planes});

  const int lanes = builder.lanes();
  out.split(y, y, at, 1, TailStrategy::RoundUp).reorder(x, at, y, plane);
  vectorize_any(out, x, resized.x.out, lanes, 1);
  const auto taps = static_cast<int64_t>(resized.x.count * resized.y.count);
  parallelize(out, {y, plane}, {resized.y.out, resized.planes}, resized.x.out * taps);
  if (resized.y.count == 1) return out;  // nothing to compute once for several columns
  row.compute_at(out, at).bound_extent(x, width);
  vectorize_any(row, x, width, lanes, 1);
  return out;
}

}  // namespace

ScheduleDef resize_schedule() {
  return {.name = "resize",
          .summary = "the last two dimensions stretched or shrunk, by tables of taps",
          .default_config = resize_default_config,
          .priority = 5,
          .pack = pack_epilogue_weight,
          .build = build_resize};
}

}  // namespace opbench
