#include "model/operators/axes/slice_ranges.h"

#include <algorithm>

namespace opbench {
namespace {

/// Elements of a distance in steps of `step`, whichever way: both may be as large as an integer is.
int64_t count_of_steps(int64_t distance, int64_t step) {
  if (distance <= 0) return 0;
  const uint64_t length = step < 0 ? 0 - static_cast<uint64_t>(step) : static_cast<uint64_t>(step);
  return static_cast<int64_t>(static_cast<uint64_t>(distance - 1) / length) + 1;
}

/// ONNX's clamping: positions beyond an end stop there, -1 past the front when going backwards.
SliceRange slice_range_of(int64_t extent, int64_t start, int64_t end, int64_t step) {
  const auto clamp = [&](int64_t position, int64_t low, int64_t high) {
    return std::clamp(position < 0 ? position + extent : position, low, high);
  };
  SliceRange range{0, 0, step};
  if (extent == 0) return range;
  if (step > 0) {
    range.start = clamp(start, 0, extent);
    range.count = count_of_steps(clamp(end, 0, extent) - range.start, step);
  } else {
    range.start = clamp(start, 0, extent - 1);
    range.count = count_of_steps(range.start - clamp(end, -1, extent - 1), step);
  }
  // No step is taken: one that leads out of the tensor could not be multiplied.
  if (range.count <= 1) range.step = 1;
  return range;
}

}  // namespace

Result<std::vector<SliceRange>> slice_ranges(const OperatorCall& call) {
  OPBENCH_TRY(const auto starts, integers_of(call, "starts", 1));
  OPBENCH_TRY(const auto ends, integers_of(call, "ends", 2));
  OPBENCH_TRY(const auto axes, integers_of(call, "axes", 3));
  OPBENCH_TRY(const auto steps, integers_of(call, "steps", 4));
  if (!starts || !ends || starts->size() != ends->size()) {
    return misfit(call, "starts and ends differ in number");
  }
  const auto fits = [&](const auto& list) { return !list || list->size() == starts->size(); };
  if (!fits(axes) || !fits(steps))
    return misfit(call, "axes or steps differ from starts in number");
  std::vector<SliceRange> ranges;
  for (const int64_t extent : shape_of(call, 0)) ranges.push_back({0, extent, 1});
  for (size_t i = 0; i < starts->size(); ++i) {
    const int64_t wanted = axes ? (*axes)[i] : static_cast<int64_t>(i);
    OPBENCH_TRY(const int64_t axis, axis_of(call, wanted, rank_of(call, 0)));
    const int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0) return misfit(call, "a step is 0");
    ranges[axis] = slice_range_of(shape_of(call, 0)[axis], (*starts)[i], (*ends)[i], step);
  }
  return ranges;
}

}  // namespace opbench
