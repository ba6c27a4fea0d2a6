#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/common/benchmark.h"

namespace opbench {

/// Comparisons of real engines.
struct MeasuredVerdicts {
  std::string model = "squeezenet_v1.1";  ///< of the zoo
  std::string engine = "halide";
  int threads = 1;
  std::string unit = "1";  ///< which one is made slow
  double budget_s = 60;
  int64_t trials = 200;            ///< judgings, of each kind
  int64_t exchanges = 9;           ///< more judgings of a comparison, its equal sides exchanged
  int64_t first = 1;               ///< seed of the first: a long run can be made in parts
  std::vector<std::string> kinds;  ///< quiet, bursty, slow, hidden
};

/// The bars of `./dev bench verdicts` on this machine. quiet: the same code on both sides; bursty:
/// beside programs that come and go; slow: a unit with 3 % more work; hidden: the same beside those
/// programs. Every comparison is judged once as measured and again with `exchange_sides`, which
/// takes no time of the machine. Beside each kind, as notes, profiles one after the other with
/// Welch's test, a tenth as many.
Result<void> add_measured_verdicts(const MeasuredVerdicts& settings, Report& report);

}  // namespace opbench
