#include "model/operators/fourier/fourier.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace opbench {

FourierTransform::FourierTransform(int64_t length, bool is_inverse)
    : roots_(static_cast<size_t>(length)),
      factor_(is_inverse ? 1 / static_cast<double>(length) : 1) {
  const double turn = (is_inverse ? 2 : -2) * std::numbers::pi / static_cast<double>(length);
  for (size_t i = 0; i < roots_.size(); ++i) {
    roots_[i] = std::polar(1.0, turn * static_cast<double>(i));
  }
}

void FourierTransform::operator()(std::span<const std::complex<double>> x,
                                  std::span<std::complex<double>> y) const {
  for (size_t k = 0; k < y.size(); ++k) {
    double real = 0;
    double imaginary = 0;
    size_t root = 0;  // k n modulo the length
    for (const std::complex<double>& value : x) {
      const std::complex<double>& r = roots_[root];
      real += value.real() * r.real() - value.imag() * r.imag();
      imaginary += value.real() * r.imag() + value.imag() * r.real();
      root += k;
      if (root >= roots_.size()) root -= roots_.size();
    }
    y[k] = {real * factor_, imaginary * factor_};
  }
}

double fourier_flops(int64_t length) {
  const auto n = static_cast<double>(length);
  return 5 * n * std::log2(n);
}

int64_t kept_bins(int64_t length, bool is_onesided) {
  return is_onesided ? length / 2 + 1 : length;
}

Result<int64_t> component_count(const OperatorCall& call, bool is_onesided) {
  const Shape& shape = shape_of(call, 0);
  const int64_t components = shape.back();
  if (components != 1 && components != 2) {
    return misfit(call, fmt::format("numbers of {} parts in {} are neither real nor complex",
                                    components, shape_text(shape)));
  }
  if (is_onesided && components == 2) {
    return misfit(call, "onesided 1 does not go with complex numbers");
  }
  return components;
}

Result<int64_t> known_length(const OperatorCall& call, size_t index, std::string_view what) {
  OPBENCH_TRY(const Integers values, known_integers(call, index, what));
  if (values.size() != 1) {
    return misfit(call, fmt::format("its {} has {} elements, not 1", what, values.size()));
  }
  if (values[0] < 1) return misfit(call, fmt::format("{} {} is below 1", what, values[0]));
  return values[0];
}

}  // namespace opbench
