#include "presentation/cli/output/progress_line.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string_view>

#include "base/text/display_width.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr std::chrono::seconds kPlainPause(10);
constexpr std::chrono::milliseconds kRedrawPause(50);

std::string eta_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::ceil(std::max(0.0, seconds)));
  constexpr int64_t kMinute = 60;
  if (whole < kMinute) return fmt::format("{}s", whole);
  return fmt::format("{}m{:02}s", whole / kMinute, whole % kMinute);
}

/// $OPBENCH_PROGRESS is `never` for those who compare what the program writes: when a line comes
/// depends on the machine.
bool is_progress_wanted() {
  const char* when = std::getenv("OPBENCH_PROGRESS");
  return when == nullptr || std::string_view(when) != "never";
}

}  // namespace

std::string progress_text(const Progress& progress) {
  std::string text;
  if (progress.total > 0) {
    const std::string total = std::to_string(progress.total);
    text = fmt::format("[{:>{}}/{}] ", progress.done, total.size(), total);
  }
  text += progress.stage;
  if (!progress.engine.empty()) text += " " + progress.engine;
  if (!progress.item.empty()) text += " " + printable(progress.item);
  if (progress.time_ms) text += "  " + ms_text(*progress.time_ms) + " ms";
  if (progress.precision_percent) text += fmt::format(" ±{:.1f} %", *progress.precision_percent);
  if (progress.eta_s) text += "  ETA " + eta_text(*progress.eta_s);
  return text;
}

void ProgressLine::show(const Progress& progress, Clock::time_point now) {
  if (terminal_.is_quiet || !is_progress_wanted()) return;
  if (!terminal_.is_err_tty) {
    if (!shown_at_) shown_at_ = now;
    if (now - *shown_at_ < kPlainPause) return;
    terminal_.err << progress_text(progress) << std::endl;
    shown_at_ = now;
    return;
  }
  if (shown_at_ && now - *shown_at_ < kRedrawPause) return;
  shown_at_ = now;
  std::string text = progress_text(progress);
  if (terminal_.err_width > 1) {
    text = shorten(text, static_cast<size_t>(terminal_.err_width) - 1);
  }
  terminal_.err << "\r\033[K" << text << std::flush;
  is_drawn_ = true;
}

void ProgressLine::announce(const std::string& text) {
  if (terminal_.is_quiet || !is_progress_wanted()) return;
  clear();
  terminal_.err << text << std::endl;
}

void ProgressLine::clear() {
  if (is_drawn_) terminal_.err << "\r\033[K" << std::flush;
  is_drawn_ = false;
}

}  // namespace opbench
