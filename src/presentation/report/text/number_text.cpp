#include "presentation/report/text/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace opbench {

std::string ms_text(double ms) {
  const double size = std::fabs(ms);
  if (size >= 0.1 || size == 0) return fmt::format("{:.3f}", ms);
  if (size >= 0.01) return fmt::format("{:.4f}", ms);
  if (size >= 0.001) return fmt::format("{:.5f}", ms);
  return fmt::format("{:.6f}", ms);
}

std::string floor_text(double ms) {
  return ms < 0.00005 ? "below 0.0001 ms" : fmt::format("{:.4f} ms", ms);
}

std::string rate_text(double rate) {
  return std::fabs(rate) < 100 ? fmt::format("{:.1f}", rate) : fmt::format("{:.0f}", rate);
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string over_text(double value, double other) {
  return other > 0 ? fmt::format("{:+.1f} %", (value / other - 1) * 100) : "-";
}

std::string exact_text(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string scaled_text(double value) {
  constexpr std::array kPrefixes = {"", " k", " M", " G", " T"};
  size_t step = 0;
  while (std::fabs(value) >= 999.5 && step + 1 < kPrefixes.size()) {
    value /= 1000;
    ++step;
  }
  const int decimals = step == 0 || std::fabs(value) >= 99.95 ? 0
                       : std::fabs(value) >= 9.995            ? 1
                                                              : 2;
  return fmt::format("{:.{}f}{}", value, decimals, kPrefixes[step]);
}

}  // namespace opbench
