#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/system/seconds.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// How much other work disturbs this machine while it measures.
enum class NoiseClass { kQuiet, kShared, kHostile };

/// `quiet`, `shared`, `hostile`
std::string_view name_of(NoiseClass noise);

/// What a short look at the machine says before anything is measured.
struct Preflight {
  NoiseClass noise = NoiseClass::kShared;
  Seconds clock_resolution{1e-9};  ///< smallest step seen
  Seconds clock_overhead{0};       ///< of one reading
  double reference_s = 0;          ///< median time of one reference repeat, about 2 ms
  double cv_percent = 0;           ///< of all repeats
  double clean_cv_percent = 0;     ///< of those not flagged
  double flagged_share = 0;        ///< of repeats, 0…1
  std::string advice;              ///< one line
};

/// Class and advice from repeats of the reference kernel (single-threaded, unflagged): quiet with a
/// variation below 1 % and at most 2 % of repeats disturbed; hostile when over half of them are, or
/// the clean ones still vary by more than 5 %; else shared.
Preflight judge_noise(std::span<const Sample> repeats);

/// Multiply-adds on 4 KiB that stay in the L1 cache; a repeat takes about 2 ms on the calling
/// thread.
class ReferenceKernel {
 public:
  /// Finds how much work that is: about 1 ms.
  ReferenceKernel();
  /// Unflagged; wall and CPU time of the whole repeat.
  Sample repeat();

 private:
  std::array<float, 1024> values_{};
  int64_t passes_ = 2000;
};

/// Runs the reference kernel for 200 repeats (for 0.5 s at most, and a quarter of the run's budget,
/// but 50 ms) and reads the clock. No other thread of the program should be at work.
Preflight run_preflight(Seconds budget = Seconds(10));

}  // namespace opbench
