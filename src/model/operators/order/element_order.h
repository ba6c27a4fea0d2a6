#pragma once

namespace opbench {

/// A total order of elements, as numpy sorts them: NaN is equal to NaN and above all numbers.
template <class T>
bool is_below(T a, T b) {
  return a < b || (a == a && b != b);
}

}  // namespace opbench
