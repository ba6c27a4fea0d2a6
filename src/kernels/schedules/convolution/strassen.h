#pragma once

#include <array>

// A product of two by two matrices by seven multiplications instead of eight (Strassen, "Gaussian
// elimination is not optimal", 1969; in the form with fifteen additions that is Winograd's). The
// elements, row by row, are numbers, blocks of matrices, or expressions of a kernel's code.

namespace opbench {

constexpr int kStrassenProducts = 7;

/// The right factors that are elements as they are come first: the upper left, the lower left and
/// the lower right one.
constexpr int kPlainFactors = 3;

/// What is multiplied on the left for a product a b, one factor per multiplication.
template <class T>
std::array<T, kStrassenProducts> left_factors(const std::array<T, 4>& a) {
  const T s1 = a[2] + a[3];
  const T s2 = s1 - a[0];
  const T s3 = a[0] - a[2];
  const T s4 = a[1] - s2;
  return {a[0], a[1], s4, a[3], s1, s2, s3};
}

/// What they are multiplied with.
template <class T>
std::array<T, kStrassenProducts> right_factors(const std::array<T, 4>& b) {
  const T t1 = b[1] - b[0];
  const T t2 = b[3] - t1;
  const T t3 = b[3] - b[1];
  const T t4 = t2 - b[2];
  return {b[0], b[2], b[3], t4, t1, t2, t3};
}

/// The product a b from the products of its factors.
template <class T>
std::array<T, 4> strassen_result(const std::array<T, kStrassenProducts>& m) {
  const T u2 = m[0] + m[5];
  const T u3 = u2 + m[6];
  return {m[0] + m[1], u2 + m[4] + m[2], u3 - m[3], u3 + m[4]};
}

}  // namespace opbench
