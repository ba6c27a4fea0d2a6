#include "prediction/few_shot/device_scales.h"

#include <algorithm>
#include <cmath>

namespace opbench {
namespace {

double geometric_mean(const DenseMatrix& matrix, size_t column) {
  double sum = 0;
  for (size_t row = 0; row < matrix.rows; ++row) sum += std::log(matrix.at(row, column));
  return std::exp(sum / static_cast<double>(std::max<size_t>(matrix.rows, 1)));
}

}  // namespace

std::vector<double> scales_of(const DenseMatrix& times) {
  std::vector<double> scales;
  for (size_t column = 0; column < times.columns; ++column) {
    scales.push_back(geometric_mean(times, column));
  }
  return scales;
}

double expected_time(const DenseMatrix& times, size_t row, std::span<const double> scales) {
  double sum = 0;
  for (size_t i = 0; i < times.columns; ++i) sum += times.at(row, i) / scales[i];
  return sum / static_cast<double>(times.columns);
}

}  // namespace opbench
