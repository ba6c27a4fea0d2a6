#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measuring/sampling/noise.h"

namespace opbench {

/// One thing to be timed: a unit or a model, in one engine at one thread count.
struct SamplingItem {
  std::string id;
  int engine = 0;
  int threads = 1;
  double expected_s = 0;  ///< of one call, by prediction; 0 unknown
  double weight = 1;  ///< predicted share of the budget, in any unit: calls in the model × time
  bool is_optional = false;  ///< left out when the budget is spent before its turn
};

struct SamplingOptions {
  Seconds budget{10};  ///< for all items together
  double precision = 0.01;
  int min_samples = 10;  ///< clean ones, per process
  int processes = 3;     ///< per engine
  uint64_t seed = 0;
  NoiseClass noise = NoiseClass::kQuiet;
  Seconds clock_resolution{1e-9};
  int64_t runs = 0;     ///< samples of every item in all, whatever budget and precision say; 0: not
                        ///< given
  int64_t warm_up = 0;  ///< calls before an item's first sample in a process; 0: by the effort
  bool times_single_calls = false;  ///< of what a clock can time at all: for percentiles
  int revisit_calls = 1;  ///< untimed calls before a visit: others have used the caches meanwhile
};

/// How long one repeat shall be: 2 ms on a quiet machine, else 5 ms; at least 1000 steps of the
/// clock, and no more than these when single calls are timed.
Seconds shortest_repeat(const SamplingOptions& options);

/// Seconds of the run's time that one call of the sample took: with cold caches emptying them too.
double cost_s(const Sample& sample);

/// Calls in a repeat: enough to fill `repeat`; 1 from 20 ms on.
int64_t calls_per_repeat(double call_s, Seconds repeat);

/// What every item gets at least.
struct Effort {
  int samples = 10;  ///< per process
  Seconds warm_up{0.03};
  Seconds repeat{0.002};
};

/// Seconds of request, reply and wake-up of an engine, as long as nothing is known of it.
constexpr double kUsualVisitSeconds = 5e-4;

/// The largest effort that all items, given by the time of one call, can have within 80 % of the
/// budget; `visit_s`: what a visit costs besides its calls. The last step (3 samples, no warm-up
/// but one call, repeats of a quarter) is returned even if it takes longer: every item is to have a
/// time.
Effort affordable_effort(std::span<const double> call_s, const SamplingOptions& options,
                         double visit_s = kUsualVisitSeconds);

/// Predicted time of an effort for one item over all processes.
Seconds cost_of(const Effort& effort, double call_s, int processes,
                double visit_s = kUsualVisitSeconds);

/// Whether a warm-up has ended: the medians of the last `window` times and of the `window` before
/// differ by at most 1 %, or by no more than the spread inside them explains (twice the standard
/// error of their difference). False with fewer than 2 × window times.
bool is_steady(std::span<const double> times, size_t window);

/// When one item has samples enough.
class StopRule {
 public:
  StopRule(double precision, int min_samples) : precision_(precision), min_samples_(min_samples) {}

  /// `precision` when the interval's relative half-width is reached, `plateau` when it shrank by
  /// less than 10 % while the samples doubled, else empty. `fewest`: clean samples of the process
  /// that has the fewest; `total`: over all processes.
  std::string judge(int64_t fewest, int64_t total, double half_width);

 private:
  double precision_;
  int min_samples_;
  int64_t last_total_ = 0;
  double last_half_width_ = 0;
};

}  // namespace opbench
