#include "presentation/cli/waits/wait_notice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "presentation/report/compare_text.h"

namespace opbench {
namespace {

double wait_seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

/// Stages in which calls are timed.
bool is_timing_stage(const Progress& progress) {
  return progress.stage == "profile" || progress.stage == "measure";
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
    : line_(line), estimate_(std::move(estimate)), measuring_s_(measuring_s), begin_(now) {
  line_.announce(wait_text(estimate_, measuring_s_));
}

void WaitNotice::show(Progress progress, Clock::time_point now) {
  if (!spent_ && progress.stage == "build") {
    if (!first_kernel_) first_kernel_ = now;
    last_kernel_ = now;
    ++kernels_seen_;
  }
  if (!spent_ && is_timing_stage(progress)) {
    Spent spent{.seconds = wait_seconds(now - begin_)};
    // The first kernel is seen when it is done.
    if (kernels_seen_ > 1) {
      spent.compile_s =
          wait_seconds(*last_kernel_ - *first_kernel_) * kernels_seen_ / (kernels_seen_ - 1);
    }
    spent.compile_s = std::min(spent.compile_s, spent.seconds);
    spent_ = spent;
  }
  if (!spent_) {
    const double left = std::max(0.0, estimate_.seconds() - wait_seconds(now - begin_));
    progress.eta_s = left + measuring_s_;
  }
  line_.show(progress);
}

void WaitNotice::keep() const {
  if (spent_) keep_preparation(estimate_, spent_->seconds, spent_->compile_s);
}

}  // namespace opbench
