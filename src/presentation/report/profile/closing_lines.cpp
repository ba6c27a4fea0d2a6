#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/percentiles.h"
#include "measuring/results/time_interval.h"
#include "measuring/results/unit_totals.h"
#include "presentation/report/profile/profile_table.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string closing_lines_interval_text(const Measurement& time) {
  const std::optional<Interval> interval = interval_of(time);
  if (!interval) return fmt::format("{} ms ({})", ms_text(time.median_ms), kNoInterval);
  return fmt::format("{} ms [{}, {}]", ms_text(time.median_ms), ms_text(interval->low),
                     ms_text(interval->high));
}

std::string unit_sum_line(const ModelResult& model) {
  std::string text;
  if (model.sum_in_place_ms) {
    text = "sum in model " + ms_text(*model.sum_in_place_ms) + " ms";
    const double overhead_ms = model.call_overhead_ms.value_or(0);
    if (model.dispatch_ms) {
      text += fmt::format(" + dispatch {} ms", ms_text(*model.dispatch_ms));
      if (overhead_ms > 0) text += fmt::format(" + call overhead {} ms", ms_text(overhead_ms));
      text += fmt::format(" = {} ms",
                          ms_text(*model.sum_in_place_ms + *model.dispatch_ms + overhead_ms));
    }
    text += "; ";
  }
  if (model.end_to_end) {
    text += "end to end " + closing_lines_interval_text(*model.end_to_end);
  } else {
    text += "no end-to-end time";
    if (!model.end_to_end_reason.empty()) text += ": " + printable(model.end_to_end_reason);
  }
  if (!model.inconclusive.empty()) {
    text += "; gap inconclusive: " + printable(model.inconclusive);
  } else if (model.gap_percent) {
    text += fmt::format("; gap {:.1f} %", *model.gap_percent);
  }
  return text + "\n";
}

/// A call waits for its copies, so the device's time of them is a part of it.
std::string copies_line(const ModelResult& model) {
  const std::optional<double> copies =
      model.end_to_end ? copies_ms(*model.end_to_end) : std::nullopt;
  if (copies.value_or(0) <= 0) return "";
  return fmt::format("end to end without copies {} ms; copies take {} ms by the device's clock\n",
                     ms_text(*without_copies_ms(*model.end_to_end)), ms_text(*copies));
}

std::string percentiles_line(const ModelResult& model, const std::vector<double>& percents) {
  if (!model.end_to_end || percents.empty()) return "";
  std::vector<std::string> parts;
  for (const Percentile& one : percentiles_of(*model.end_to_end, percents)) {
    parts.push_back(percentile_name(one.percent) + " " +
                    (one.ms ? ms_text(*one.ms) + " ms"
                            : fmt::format("not known: {} samples of {}", one.taken, one.needed)));
  }
  return "end to end " + join(parts) + "\n";
}

std::string cost_line(const ModelResult& model) {
  std::vector<std::string> parts;
  if (model.profiler_slowdown_percent) {
    parts.push_back(
        fmt::format("the profiler's own slow-down {:.1f} %", *model.profiler_slowdown_percent));
  }
  if (model.peak_memory_mb) {
    parts.push_back(fmt::format("peak memory {:.0f} MB", *model.peak_memory_mb));
  }
  return parts.empty() ? "" : join(parts, "; ") + "\n";
}

std::string key_line(const EngineResult& engine) {
  const size_t count = key_unit_count(engine);
  if (engine.units.size() < 2 || count == 0 || !has_all_totals(engine)) return "";
  double share = 0;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    share += engine.units[i].share;
    const std::string name = printable(engine.units[i].identity.operator_text);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  if (share <= 0) return "";
  return fmt::format("key operators: the first {} of {} rows take {}: {}\n", count,
                     engine.units.size(), percent_text(share), join(names));
}

/// Winograd's kernels multiply less than the convolution's definition, whose FLOPs are counted.
std::string peak_line(const EngineResult& engine) {
  constexpr double kMeasuringErrors = 110;
  const auto beyond = std::ranges::count_if(engine.units, [](const UnitResult& unit) {
    return unit.percent_of_peak.value_or(0) > kMeasuringErrors;
  });
  if (beyond == 0) return "";
  return fmt::format(
      "{} above the peak: FLOPs are those of the definition, and the kernel needs fewer\n",
      beyond == 1 ? "1 row is" : fmt::format("{} rows are", beyond));
}

std::string failed_line(const EngineResult& engine) {
  const auto unmeasured = std::ranges::count_if(engine.units, is_unmeasured);
  const auto failed = std::ranges::count_if(
      engine.units, [](const UnitResult& unit) { return unit.failure && !is_unmeasured(unit); });
  std::string text;
  if (failed > 0) text += fmt::format("failed: {} of {} rows\n", failed, engine.units.size());
  if (unmeasured > 0) {
    text += fmt::format("interrupted before {} of {} rows were measured in isolation{}\n",
                        unmeasured, engine.units.size(),
                        has_all_totals(engine) ? "" : "; the others do not add up to the model");
  }
  return text;
}

}  // namespace

std::string check_line(const std::string& engine, const CheckResult& check) {
  if (check.engine.empty() && check.reason.empty()) return "";
  if (check.engine == engine && check.passed) {
    return "check: its results are what the others are checked against\n";
  }
  if (check.engine == "none") return "check: " + printable(check.reason) + "\n";
  std::string text = "check";
  const bool is_reference = check.engine == engine && found_wrong(check);
  if (is_reference) text += " against the exact reference";
  if (!is_reference && !check.engine.empty()) text += " against " + check.engine;
  if (!check.max_relative_error) return text + ": not made: " + printable(check.reason) + "\n";
  text += fmt::format(": {}, largest relative error {:.1e}", check.passed ? "passed" : "FAILED",
                      *check.max_relative_error);
  if (!check.reason.empty()) text += ": " + printable(check.reason);
  return text + "\n";
}

std::string closing_text(const EngineResult& engine, const std::string& scope,
                         const std::vector<double>& percentiles) {
  std::string text;
  if (scope == "model") {
    text += unit_sum_line(engine.model) + copies_line(engine.model) +
            percentiles_line(engine.model, percentiles) + cost_line(engine.model) +
            key_line(engine);
  } else if (engine.units.empty() && engine.model.end_to_end) {
    text += unit_sum_line(engine.model);
  }
  return text + peak_line(engine) + failed_line(engine) + check_line(engine.engine, engine.check);
}

}  // namespace opbench
