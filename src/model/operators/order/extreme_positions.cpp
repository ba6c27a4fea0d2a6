#include "model/operators/order/extreme_positions.h"

#include <algorithm>
#include <array>
#include <vector>

#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

template <bool kIsMax, bool kTakesLast>
struct Extreme {
  template <class T>
  static bool is_better(T value, T top) {
    return kIsMax ? value > top : value < top;
  }

  template <class T>
  static int64_t in_short_row(const T* x, int64_t length) {
    int64_t best = 0;
    for (int64_t i = 1; i < length; ++i)
      if (is_better(x[i], x[best]) || (kTakesLast && x[i] == x[best])) best = i;
    return best;
  }

  /// Of `length` neighbours: the value first, by lanes, then its place.
  template <class T>
  static int64_t in_row(const T* x, int64_t length) {
    constexpr int64_t kLanes = 16;
    if (length < 2 * kLanes) return in_short_row(x, length);
    std::array<T, kLanes> tops;
    tops.fill(x[0]);
    const int64_t whole = length / kLanes * kLanes;
    for (int64_t i = 0; i < whole; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const auto at = static_cast<size_t>(lane);
        tops[at] = is_better(x[i + lane], tops[at]) ? x[i + lane] : tops[at];
      }
    T top = x[0];
    const auto join = [&](T value) { top = is_better(value, top) ? value : top; };
    std::ranges::for_each(tops, join);
    std::for_each(x + whole, x + length, join);
    if (top != top) return 0;
    int64_t place = kTakesLast ? length - 1 : 0;
    while (x[place] != top) place += kTakesLast ? -1 : 1;
    return place;
  }

  /// Of `inner` columns of `length` rows; `tops` has room for all of them.
  template <class T>
  static void in_columns(const T* x, int64_t length, int64_t inner, std::vector<T>& tops,
                         int64_t* places) {
    std::copy_n(x, inner, tops.begin());
    std::fill_n(places, inner, 0);
    for (int64_t row = 1; row < length; ++row)
      for (int64_t i = 0; i < inner; ++i) {
        const T value = x[row * inner + i];
        T& top = tops[static_cast<size_t>(i)];
        const bool is_next = is_better(value, top) || (kTakesLast && value == top);
        top = is_next ? value : top;
        places[i] = is_next ? row : places[i];
      }
  }

  /// Columns of few neighbours are copied into rows.
  template <class T>
  static void in_few_columns(const T* x, int64_t length, int64_t inner, std::vector<T>& row,
                             int64_t* places) {
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t k = 0; k < length; ++k) row[static_cast<size_t>(k)] = x[k * inner + i];
      places[i] = in_row(row.data(), length);
    }
  }

  template <class T>
  static void find(const T* x, const AxisSplit& split, int64_t* places) {
    constexpr int64_t kFew = 8;
    const auto [outer, length, inner] = split;
    std::vector<T> line(static_cast<size_t>(std::max(length, inner)));
    for (int64_t o = 0; o < outer; ++o, x += length * inner, places += inner) {
      if (inner == 1)
        *places = in_row(x, length);
      else if (inner <= kFew)
        in_few_columns(x, length, inner, line, places);
      else
        in_columns(x, length, inner, line, places);
    }
  }
};

}  // namespace

Result<void> find_extremes(const OperatorCall& call, const TensorView& x, const AxisSplit& split,
                           ExtremeKind kind, int64_t* places) {
  return with_widened(call, x, [&](const auto* elements) {
    if (kind.is_max) {
      kind.takes_last ? Extreme<true, true>::find(elements, split, places)
                      : Extreme<true, false>::find(elements, split, places);
    } else {
      kind.takes_last ? Extreme<false, true>::find(elements, split, places)
                      : Extreme<false, false>::find(elements, split, places);
    }
  });
}

}  // namespace opbench
