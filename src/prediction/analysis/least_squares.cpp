#include "prediction/analysis/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace opbench {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

using Matrix = std::vector<std::vector<double>>;

/// Solves a small linear system by Gauss and Jordan with pivots; empty where it is singular.
std::vector<double> solved(Matrix rows) {
  const size_t size = rows.size();
  for (size_t c = 0; c < size; ++c) {
    size_t pivot = c;
    for (size_t r = c + 1; r < size; ++r) {
      if (std::fabs(rows[r][c]) > std::fabs(rows[pivot][c])) pivot = r;
    }
    constexpr double kSingular = 1e-12;
    if (!(std::fabs(rows[pivot][c]) > kSingular)) return {};
    std::swap(rows[c], rows[pivot]);
    for (size_t r = 0; r < size; ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (size_t k = c; k <= size; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<double> solution;
  for (size_t r = 0; r < size; ++r) solution.push_back(rows[r][size] / rows[r][r]);
  return solution;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Least squares of ones by these columns.
std::vector<double> fit_ones(const Matrix& columns, const std::vector<size_t>& chosen) {
  Matrix rows;
  for (const size_t i : chosen) {
    std::vector<double> row;
    for (const size_t j : chosen) row.push_back(dot(columns[i], columns[j]));
    row.push_back(std::accumulate(columns[i].begin(), columns[i].end(), 0.0));
    rows.push_back(std::move(row));
  }
  return solved(std::move(rows));
}

/// Each column divided by y and scaled to length 1, so that solving is well conditioned.
Matrix scaled_columns(const Matrix& columns, const std::vector<double>& y,
                      std::vector<double>& lengths) {
  Matrix scaled = columns;
  for (std::vector<double>& column : scaled) {
    for (size_t i = 0; i < y.size(); ++i) column[i] /= y[i];
    const double length = std::sqrt(dot(column, column));
    lengths.push_back(length > 0 ? length : 1);
    for (double& value : column) value /= lengths.back();
  }
  return scaled;
}

}  // namespace

LineSums::LineSums(const std::vector<double>& x, const std::vector<double>& y)
    : x_middle_(mean_of(x)), y_middle_(mean_of(y)) {
  for (std::vector<double>* sums : {&x_, &y_, &xx_, &xy_, &yy_}) sums->push_back(0);
  for (size_t i = 0; i < x.size(); ++i) {
    const double u = x[i] - x_middle_;
    const double v = y[i] - y_middle_;
    x_.push_back(x_.back() + u);
    y_.push_back(y_.back() + v);
    xx_.push_back(xx_.back() + u * u);
    xy_.push_back(xy_.back() + u * v);
    yy_.push_back(yy_.back() + v * v);
  }
}

FittedLine LineSums::through(size_t begin, size_t end) const {
  const auto count = static_cast<double>(end - begin);
  const double x = x_[end] - x_[begin];
  const double y = y_[end] - y_[begin];
  const double xx = xx_[end] - xx_[begin] - x * x / count;
  const double xy = xy_[end] - xy_[begin] - x * y / count;
  const double yy = yy_[end] - yy_[begin] - y * y / count;
  FittedLine line;
  constexpr double kEqual = 1e-14;
  line.slope = xx > kEqual ? xy / xx : 0;
  line.intercept = y_middle_ + y / count - line.slope * (x_middle_ + x / count);
  line.squares = std::max(0.0, yy - line.slope * xy);
  return line;
}

std::vector<double> non_negative_fit(const std::vector<std::vector<double>>& columns,
                                     const std::vector<double>& y) {
  std::vector<double> lengths;
  const Matrix scaled = scaled_columns(columns, y, lengths);
  std::vector<double> best(columns.size(), 0.0);
  double least = std::numeric_limits<double>::infinity();
  for (size_t set = 1; set < (size_t{1} << columns.size()); ++set) {
    std::vector<size_t> chosen;
    for (size_t i = 0; i < columns.size(); ++i) {
      if ((set >> i & 1U) != 0) chosen.push_back(i);
    }
    const std::vector<double> solution = fit_ones(scaled, chosen);
    if (solution.empty() || std::ranges::min(solution) < 0) continue;
    double squares = 0;
    for (size_t row = 0; row < y.size(); ++row) {
      double value = 0;
      for (size_t k = 0; k < chosen.size(); ++k) value += solution[k] * scaled[chosen[k]][row];
      squares += (value - 1) * (value - 1);
    }
    if (squares >= least) continue;
    least = squares;
    std::ranges::fill(best, 0.0);
    for (size_t k = 0; k < chosen.size(); ++k) {
      best[chosen[k]] = solution[k] / lengths[chosen[k]];
    }
  }
  return best;
}

}  // namespace opbench
