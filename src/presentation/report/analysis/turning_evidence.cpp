#include "presentation/report/analysis/turning_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors/suggestion.h"
#include "presentation/report/chart/chart.h"

namespace opbench {
namespace {

std::string turning_evidence_change_text(double log_ratio) {
  return fmt::format("{:+.0f} %", 100 * std::expm1(log_ratio));
}

std::string knee_line(const Knee& knee) {
  if (!knee.exists()) return "no knee: " + knee.reason;
  std::string line =
      fmt::format("knee between {} and {}, slope {:+.2f} before and {:+.2f} behind",
                  tick_text(knee.last), tick_text(knee.next), knee.slope_before, knee.slope_behind);
  if (knee.kind == KneeKind::kStep)
    line += ", time " + turning_evidence_change_text(knee.jump) + " at the step";
  return line + fmt::format("; two lines gain {:.0f} in BIC over one", knee.gain);
}

std::string cache_text(const TurningReport& report, double bytes) {
  const auto nearest = std::ranges::min_element(report.caches, {}, [&](const CacheSize& cache) {
    return std::fabs(std::log(bytes / static_cast<double>(cache.bytes)));
  });
  if (nearest == report.caches.end()) return "";
  return fmt::format("; nearest cache: L{}, {} (factor {:.2f})", nearest->level,
                     bytes_text(static_cast<double>(nearest->bytes)),
                     bytes / static_cast<double>(nearest->bytes));
}

void add_rises(const TurningReport& report, const TurningSeries& series,
               std::vector<std::string>& lines) {
  for (const Rise& rise : series.rises) {
    lines.push_back(fmt::format("level ends at {}: time a byte {}{}", bytes_text(rise.at),
                                turning_evidence_change_text(std::log(rise.behind / rise.before)),
                                cache_text(report, rise.at)));
  }
}

void add_probes(const TurningSeries& series, std::vector<std::string>& lines) {
  if (series.probe_order.empty()) return;
  std::vector<std::string> order;
  for (const double x : series.probe_order) order.push_back(tick_text(x));
  std::string line = fmt::format("{} probes: {}", order.size(), join(order));
  if (series.regret) {
    line += fmt::format("; regret against the whole sweep {:.1f} %, of n95 {:.1f} %",
                        100 * *series.regret, 100 * series.regret_enough.value_or(0));
  }
  lines.push_back(line);
}

}  // namespace

std::string bytes_text(double bytes) {
  constexpr double kKiB = 1024;
  if (bytes < kKiB) return fmt::format("{:.0f} B", bytes);
  const bool is_small = bytes < kKiB * kKiB;
  return fmt::format("{:.3g} {}", bytes / (is_small ? kKiB : kKiB * kKiB),
                     is_small ? "KiB" : "MiB");
}

std::vector<std::string> evidence_lines(const TurningReport& report, const TurningSeries& series) {
  std::vector<std::string> lines;
  if (!series.failure.empty()) lines.push_back("none: " + series.failure);
  if (series.point) {
    lines.push_back(knee_line(series.point->knee));
    if (series.point->knee.is_gradual) {
      lines.emplace_back(
          "the change is gradual: a smooth curve explains the times better than two lines");
    }
  }
  add_rises(report, series, lines);
  add_probes(series, lines);
  return lines;
}

}  // namespace opbench
