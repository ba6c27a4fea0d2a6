#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/operators/axis_split.h"

namespace opbench {

/// Where along the middle of [outer, length, inner] the largest or smallest element is, for every
/// (outer, inner); of equal ones the first, or the last. A NaN is never better than what it
/// follows.
struct Extreme {
  bool is_max = true;
  bool takes_last = false;

  template <class T>
  bool is_better(T value, T top) const {
    return is_max ? value > top : value < top;
  }

  /// Of `length` neighbours: the value first, by lanes, then its place.
  template <class T>
  int64_t in_row(const T* x, int64_t length) const {
    constexpr int64_t kLanes = 16;
    std::array<T, kLanes> tops;
    tops.fill(x[0]);
    const int64_t whole = length / kLanes * kLanes;
    for (int64_t i = 0; i < whole; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const T value = x[i + lane];
        T& top = tops[static_cast<size_t>(lane)];
        top = is_better(value, top) ? value : top;
      }
    T top = x[0];
    const auto join = [&](T value) { top = is_better(value, top) ? value : top; };
    for (const T value : tops) join(value);
    std::for_each(x + whole, x + length, join);
    if (top != top) return 0;
    int64_t place = takes_last ? length - 1 : 0;
    while (x[place] != top) place += takes_last ? -1 : 1;
    return place;
  }

  /// Of `inner` columns of `length` rows.
  template <class T>
  void in_columns(const T* x, int64_t length, int64_t inner, int64_t* places) const {
    std::vector<T> tops(x, x + inner);
    std::fill_n(places, inner, 0);
    for (int64_t row = 1; row < length; ++row)
      for (int64_t i = 0; i < inner; ++i) {
        const T value = x[row * inner + i];
        T& top = tops[static_cast<size_t>(i)];
        const bool is_next = is_better(value, top) || (takes_last && value == top);
        top = is_next ? value : top;
        places[i] = is_next ? row : places[i];
      }
  }

  /// `length` must not be 0.
  template <class T>
  void find(const T* x, const AxisSplit& split, int64_t* places) const {
    for (int64_t o = 0; o < split.outer; ++o) {
      const T* first = x + o * split.length * split.inner;
      if (split.inner == 1)
        places[o] = in_row(first, split.length);
      else
        in_columns(first, split.length, split.inner, places + o * split.inner);
    }
  }
};

}  // namespace opbench
