#include "presentation/cli/waits/wait_notice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "presentation/report/compare/compare_text.h"

namespace opbench {
namespace {

double wait_seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

/// Stages in which calls are timed.
bool is_timing_stage(const std::string& stage) {
  return stage == "profile" || stage == "measure" || stage == "serve";
}

}  // namespace

std::string wait_text(const PreparationEstimate& estimate, double measuring_s) {
  std::string text = "preparing takes about " + duration_text(estimate.seconds());
  if (estimate.kernels > 0) {
    text += fmt::format(" ({} kernel{} to compile)", estimate.kernels,
                        estimate.kernels == 1 ? "" : "s");
  }
  if (measuring_s <= 0) return text;
  return text + ", measuring then at most " + duration_text(measuring_s);
}

WaitNotice::WaitNotice(ProgressLine& line, PreparationEstimate estimate, double measuring_s,
                       Clock::time_point now)
    : line_(line), estimate_(std::move(estimate)), measuring_s_(measuring_s), last_(now) {
  line_.announce(wait_text(estimate_, measuring_s_));
}

void WaitNotice::show(Progress progress, Clock::time_point now) {
  const double passed_s = wait_seconds(now - last_);
  const bool was_timing = is_timing_stage(stage_);
  (was_timing ? measured_s_ : preparing_s_) += passed_s;
  if (progress.stage == "build") {
    ++kernels_;
    if (stage_ == "build") {
      between_kernels_s_ += passed_s;
      ++kernels_between_;
    }
  }
  last_ = now;
  stage_ = progress.stage;
  if (is_timing_stage(stage_)) {
    is_timed_ = true;
    prepared_s_ += std::exchange(preparing_s_, 0);
  } else if (!progress.eta_s) {
    progress.eta_s = std::max(0.0, estimate_.seconds() - prepared_s_ - preparing_s_) +
                     std::max(0.0, measuring_s_ - measured_s_);
  }
  line_.show(progress);
}

std::optional<WaitNotice::Spent> WaitNotice::spent() const {
  if (!is_timed_) return {};
  Spent spent{.seconds = prepared_s_};
  // A kernel is reported when it is done, so that the first one's time is not seen.
  if (kernels_between_ > 0) {
    spent.compile_s = std::min(prepared_s_, between_kernels_s_ * kernels_ / kernels_between_);
  }
  return spent;
}

void WaitNotice::keep() const {
  if (const auto took = spent()) keep_preparation(estimate_, took->seconds, took->compile_s);
}

}  // namespace opbench
