#pragma once

#include <functional>
#include <span>

namespace opbench {

/// A segment of a model that runs.
struct SegmentPlace {
  size_t model = 0;
  size_t segment = 0;
};

/// By what factor, at least 1, a segment takes longer while these others run. Empty: by none.
using SlowDown = std::function<double(const SegmentPlace&, std::span<const SegmentPlace> others)>;

/// The factor; 1 without a function or without others.
inline double slow_down_of(const SlowDown& slow_down, const SegmentPlace& place,
                           std::span<const SegmentPlace> others) {
  return slow_down && !others.empty() ? slow_down(place, others) : 1;
}

}  // namespace opbench
