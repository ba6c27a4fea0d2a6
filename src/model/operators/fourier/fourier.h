#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// The discrete Fourier transform of one length: y[k] = sum over n of x[n] e^(-2 pi i k n /
/// length); the inverse has the sign turned and is divided by the length.
class FourierTransform {
 public:
  FourierTransform(int64_t length, bool is_inverse);

  /// As many results as `y` has, from the first on; what `x` lacks is 0. `x` has at most `length`
  /// elements.
  void operator()(std::span<const std::complex<double>> x, std::span<std::complex<double>> y) const;

 private:
  std::vector<std::complex<double>> roots_;
  double factor_ = 1;
};

/// Operations of the usual fast algorithm: 5 N log2 N.
double fourier_flops(int64_t length);

/// What `onesided` keeps of `length` results: the others are their conjugates.
int64_t kept_bins(int64_t length, bool is_onesided);

/// The last extent of operand 0, 1 for real numbers and 2 for complex ones. `kInvalidInput` for
/// other extents, and for complex numbers where `is_onesided`.
Result<int64_t> component_count(const OperatorCall& call, bool is_onesided);

/// The one element of a known integer operand, which must be at least 1.
Result<int64_t> known_length(const OperatorCall& call, size_t index, std::string_view what);

/// A number of `components` parts that lie one after the other.
template <class T>
std::complex<double> complex_at(const T* x, int64_t components) {
  return {static_cast<double>(x[0]), components == 2 ? static_cast<double>(x[1]) : 0.0};
}

template <class T>
void store_complex(const std::complex<double>& value, T* y) {
  y[0] = static_cast<T>(value.real());
  y[1] = static_cast<T>(value.imag());
}

}  // namespace opbench
