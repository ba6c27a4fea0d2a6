#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/waits/preparation_time.h"

namespace opbench {

/// `preparing takes about 12 s (37 kernels to compile), measuring then at most 20 s`. `measuring_s`
/// of 0: not limited by time.
std::string wait_text(const PreparationEstimate& estimate, double measuring_s);

/// Says before a run how long its preparation and its measuring take, gives the progress of the
/// preparation an ETA that knows both, and keeps what the preparation really took. A run may
/// prepare again between times.
class WaitNotice {
 public:
  using Clock = std::chrono::steady_clock;

  WaitNotice(ProgressLine& line, PreparationEstimate estimate, double measuring_s,
             Clock::time_point now = Clock::now());

  /// In the place of the line's.
  void show(Progress progress, Clock::time_point now = Clock::now());

  /// Seconds of all preparation that has come to its end, and of compiling in it; nothing before
  /// anything is timed.
  struct Spent {
    double seconds = 0, compile_s = 0;
  };
  std::optional<Spent> spent() const;

  /// Keeps what was spent for later runs, if anything was timed.
  void keep() const;

 private:
  ProgressLine& line_;
  PreparationEstimate estimate_;
  double measuring_s_ = 0;
  Clock::time_point last_;  ///< report of progress
  std::string stage_;       ///< that began with it
  bool is_timed_ = false;   ///< something was
  double prepared_s_ = 0;   ///< up to the last timed stage
  double preparing_s_ = 0;  ///< since
  double measured_s_ = 0;
  double between_kernels_s_ = 0;  ///< between a kernel and the next one
  int kernels_between_ = 0;       ///< that ended these times
  int kernels_ = 0;               ///< compiled
};

}  // namespace opbench
