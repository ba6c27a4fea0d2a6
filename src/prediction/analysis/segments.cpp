#include "prediction/analysis/segments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers/random.h"

namespace opbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// best[k][end]: the least squares of k + 1 runs that end before `end`; from[k][end]: where the
/// last of these runs begins.
struct Program {
  std::vector<std::vector<double>> best;
  std::vector<std::vector<size_t>> from;
};

Program programmed(const LineSums& sums, size_t points, size_t count) {
  Program program;
  program.best.assign(count, std::vector<double>(points + 1, kInfinity));
  program.from.assign(count, std::vector<size_t>(points + 1, 0));
  for (size_t end = kLeastSegment; end <= points; ++end) {
    program.best[0][end] = sums.through(0, end).squares;
  }
  for (size_t k = 1; k < count; ++k) {
    for (size_t end = (k + 1) * kLeastSegment; end <= points; ++end) {
      for (size_t begin = k * kLeastSegment; begin + kLeastSegment <= end; ++begin) {
        const double squares = program.best[k - 1][begin] + sums.through(begin, end).squares;
        if (squares >= program.best[k][end]) continue;
        program.best[k][end] = squares;
        program.from[k][end] = begin;
      }
    }
  }
  return program;
}

/// The least squares of two runs.
double least_of_two(const LineSums& sums, size_t points) {
  double least = kInfinity;
  for (size_t i = kLeastSegment; i + kLeastSegment <= points; ++i) {
    least = std::min(least, sums.through(0, i).squares + sums.through(i, points).squares);
  }
  return least;
}

/// Least squares of y over 1, x and max(0, x - bend), by taking the first two out of the others.
double bend_squares(const std::vector<double>& x, const std::vector<double>& y, double bend,
                    double& change) {
  std::vector<double> hinge;
  for (const double value : x) hinge.push_back(std::max(0.0, value - bend));
  const FittedLine of_hinge = LineSums(x, hinge).through(0, x.size());
  const FittedLine of_time = LineSums(x, y).through(0, x.size());
  double hh = 0, hy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double h = hinge[i] - of_hinge.at(x[i]);
    hh += h * h;
    hy += h * (y[i] - of_time.at(x[i]));
  }
  change = hh > 0 ? hy / hh : 0;
  return std::max(0.0, of_time.squares - change * hy);
}

}  // namespace

double bic_of(double squares, size_t points, size_t parameters) {
  constexpr double kLeastResidual = 1e-4;
  const auto n = static_cast<double>(points);
  return n * std::log(std::max(squares / n, kLeastResidual * kLeastResidual)) +
         static_cast<double>(parameters) * std::log(n);
}

Segments segments_of(const Curve& curve, size_t count) {
  const LineSums sums(abscissa_of(curve), log_times_of(curve));
  const Program program = programmed(sums, curve.size(), count);
  Segments segments;
  segments.squares = program.best[count - 1][curve.size()];
  size_t end = curve.size();
  for (size_t k = count; k-- > 0; end = program.from[k][end]) {
    segments.ends.insert(segments.ends.begin(), end);
    segments.lines.insert(segments.lines.begin(), sums.through(program.from[k][end], end));
  }
  segments.bic = bic_of(segments.squares, curve.size(), segments.parameters());
  return segments;
}

BentLine bent_line_of(const Curve& curve) {
  const std::vector<double> x = abscissa_of(curve);
  const std::vector<double> y = log_times_of(curve);
  BentLine best{.squares = kInfinity};
  for (size_t i = kLeastSegment - 1; i + kLeastSegment < curve.size() + 1; ++i) {
    double change = 0;
    const double squares = bend_squares(x, y, x[i], change);
    if (squares >= best.squares) continue;
    std::vector<double> rest;
    for (size_t k = 0; k < x.size(); ++k)
      rest.push_back(y[k] - change * std::max(0.0, x[k] - x[i]));
    best.bend = i;
    best.squares = squares;
    best.line = LineSums(x, rest).through(0, x.size());
    best.slope_behind = best.line.slope + change;
  }
  best.bic = bic_of(best.squares, curve.size(), 4);
  return best;
}

double chance_of_break(const Curve& curve, double gain, int draws, uint64_t seed) {
  const size_t points = curve.size();
  const std::vector<double> x = abscissa_of(curve);
  // Lines take any straight line away, and the noise's size cancels: noise of size 1 is enough.
  Random random(seed, "chance of a break");
  int as_large = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<double> y;
    for (size_t i = 0; i < points; ++i) y.push_back(random.normal());
    const LineSums sums(x, y);
    const double one = bic_of(sums.through(0, points).squares, points, 2);
    const double two = bic_of(least_of_two(sums, points), points, 5);
    if (one - two >= gain) ++as_large;
  }
  return (as_large + 1.0) / (draws + 1.0);
}

}  // namespace opbench
