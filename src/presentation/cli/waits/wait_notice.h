#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "presentation/cli/progress_line.h"
#include "presentation/cli/waits/preparation_time.h"

namespace opbench {

/// `preparing takes about 12 s (37 kernels to compile), measuring then at most 20 s`. `measuring_s`
/// of 0: not limited by time.
std::string wait_text(const PreparationEstimate& estimate, double measuring_s);

/// Says before a run how long its preparation and its measuring take, gives the progress of the
/// preparation an ETA that knows both, and keeps what the preparation really took.
class WaitNotice {
 public:
  using Clock = std::chrono::steady_clock;

  WaitNotice(ProgressLine& line, PreparationEstimate estimate, double measuring_s,
             Clock::time_point now = Clock::now());

  /// In the place of the line's.
  void show(Progress progress, Clock::time_point now = Clock::now());

  /// Seconds of the preparation and of compiling in it; nothing before anything is timed.
  struct Spent {
    double seconds = 0, compile_s = 0;
  };
  const std::optional<Spent>& spent() const { return spent_; }

  /// Keeps what was spent for later runs, if the preparation has come to its end.
  void keep() const;

 private:
  ProgressLine& line_;
  PreparationEstimate estimate_;
  double measuring_s_ = 0;
  Clock::time_point begin_;
  std::optional<Clock::time_point> first_kernel_, last_kernel_;
  double kernels_seen_ = 0;
  std::optional<Spent> spent_;
};

}  // namespace opbench
