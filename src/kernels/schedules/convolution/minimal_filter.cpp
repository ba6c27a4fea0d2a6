#include "kernels/schedules/convolution/minimal_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/numbers/divisors.h"
#include "kernels/schedules/convolution/convolution_shape.h"

namespace opbench {
namespace {

/// Small, and with few digits: what is lost to rounding grows with their powers. The first ones of
/// the first row lose least, but where there are 10 or 11 those of the second: of the sets whose
/// factors floats hold exactly, the best found (F(6, 7): 5.8e-6 of the values' root mean square,
/// 8.7e-6 with the first row's points and 1.5).
constexpr std::array kFewPoints = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 0.75, -0.75};
constexpr std::array kManyPoints = {0.0,   1.0,   -1.0,   1.5, -1.5, 0.75,
                                    -0.75, 0.375, -0.375, 3.0, -3.0};

std::span<const double> points_of(size_t count) {
  std::span<const double> points = kManyPoints;
  if (count <= kFewPoints.size()) points = kFewPoints;
  return points.first(count);
}

using Polynomial = std::vector<double>;  ///< coefficients, the constant first

/// The product of (x - a) over all points but number `left_out`.
Polynomial product_without(std::span<const double> points, size_t left_out) {
  Polynomial product = {1};
  for (size_t i = 0; i < points.size(); ++i) {
    if (i == left_out) continue;
    Polynomial next(product.size() + 1, 0);
    for (size_t power = 0; power < product.size(); ++power) {
      next[power] -= points[i] * product[power];
      next[power + 1] += product[power];
    }
    product = std::move(next);
  }
  return product;
}

double value_at(const Polynomial& polynomial, double x) {
  double value = 0;
  for (auto place = polynomial.rbegin(); place != polynomial.rend(); ++place) {
    value = value * x + *place;
  }
  return value;
}

/// A power of two, which costs no precision, that makes the largest coefficient 1 to 2.
double scale_of(const Polynomial& polynomial) {
  double largest = 0;
  for (const double value : polynomial) largest = std::max(largest, std::abs(value));
  return std::exp2(-std::floor(std::log2(largest)));
}

/// `row` spread over every second place of `size` from `first` on; what does not fit is left out.
std::vector<double> every_second(const std::vector<double>& row, size_t first, size_t size) {
  std::vector<double> spread(size, 0);
  for (size_t i = 0; first + 2 * i < size && i < row.size(); ++i) spread[first + 2 * i] = row[i];
  return spread;
}

/// One point of a filter; 0 where there is no such channel.
float point_of(const std::vector<double>& row, const WeightView& w, int64_t out, int64_t in) {
  if (out >= w.out_channels || in >= w.in_channels) return 0;
  const float* taps = w.filter(out, in);
  double sum = 0;
  for (size_t tap = 0; tap < row.size(); ++tap) sum += row[tap] * taps[tap];
  return static_cast<float>(sum);
}

}  // namespace

MinimalFilter minimal_filter(int m, int r) {
  MinimalFilter f{.m = m, .r = r, .n = m + r - 1};
  const auto n = static_cast<size_t>(f.n);
  const size_t finite = n - 1;
  const std::span<const double> points = points_of(finite);
  f.input.assign(n, Polynomial(n, 0));
  f.filter.assign(n, std::vector<double>(static_cast<size_t>(r), 0));
  f.output.assign(static_cast<size_t>(m), std::vector<double>(n, 0));
  for (size_t i = 0; i < finite; ++i) {
    const Polynomial others = product_without(points, i);
    const double scale = scale_of(others);
    const double denominator = value_at(others, points[i]) * scale;
    for (size_t power = 0; power < others.size(); ++power)
      f.input[i][power] = others[power] * scale;
    double power = 1;
    for (double& tap : f.filter[i]) {
      tap = power / denominator;
      power *= points[i];
    }
    power = 1;
    for (auto& row : f.output) {
      row[i] = power;
      power *= points[i];
    }
  }
  f.input[finite] = product_without(points, finite);
  f.filter[finite].back() = 1;
  f.output.back()[finite] = 1;
  return f;
}

MinimalFilter strided_filter(int m, int r) {
  const MinimalFilter even = minimal_filter(m, (r + 1) / 2);
  MinimalFilter f{.m = m, .r = r, .n = even.n, .stride = 2, .output = even.output};
  for (size_t parity : {0, 1}) {
    for (size_t i = 0; i + parity < even.input.size(); ++i) {
      f.input.push_back(every_second(even.input[i], parity, static_cast<size_t>(f.inputs())));
      f.filter.push_back(every_second(even.filter[i], parity, static_cast<size_t>(r)));
    }
  }
  return f;
}

Tensor pack_minimal(const MinimalFilter& filter, const Tensor& weight, int64_t block) {
  const WeightView w = weight_view(weight);
  const int64_t out_blocks = ceil_div(w.out_channels, block);
  const int64_t in_channels = ceil_div(w.in_channels, block) * block;
  Tensor packed = Tensor::empty({DataType::kFloat32, {out_blocks, filter.n, in_channels, block}});
  float* to = packed.as<float>().data();
  for (int64_t ob = 0; ob < out_blocks; ++ob)
    for (const std::vector<double>& row : filter.filter)
      for (int64_t in = 0; in < in_channels; ++in)
        for (int64_t lane = 0; lane < block; ++lane)
          *to++ = point_of(row, w, ob * block + lane, in);
  return packed;
}

}  // namespace opbench
