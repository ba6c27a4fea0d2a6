#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "experiments/sessions/request/profile_request.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// `[ 37/112] halide conv2d 64x56x56 k3  0.412 ms ±0.6 %  ETA 2m10s`
std::string progress_text(const Progress& progress);

/// Shows on `terminal.err` how far a run has come: one line redrawn on a terminal, else a plain
/// line every 10 s, nothing when quiet or where $OPBENCH_PROGRESS is `never`.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressLine(Terminal& terminal) : terminal_(terminal) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(const Progress& progress, Clock::time_point now = Clock::now());

  /// A line of its own that stays, at once; under the same conditions.
  void announce(const std::string& text);

  /// Removes the redrawn line, so that other text can follow.
  void clear();

 private:
  Terminal& terminal_;
  bool is_drawn_ = false;
  std::optional<Clock::time_point> shown_at_;
};

}  // namespace opbench
