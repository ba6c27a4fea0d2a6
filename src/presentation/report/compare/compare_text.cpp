#include "presentation/report/compare/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/percentiles.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// Percent with one decimal below 100, else none; never `-0.0`.
std::string percent_number(double percent, bool has_sign) {
  const int decimals = std::fabs(percent) < 99.95 ? 1 : 0;
  const double rounded = std::round(percent * 10) / 10;
  const double value = rounded == 0 ? 0 : percent;
  return has_sign ? fmt::format("{:+.{}f}", value, decimals)
                  : fmt::format("{:.{}f}", value, decimals);
}

double change_percent(double ratio) { return 100 * (ratio - 1); }

/// `1.9 % faster (1.5 to 2.3 %)`: how much less or more, without a sign.
std::string difference_text(const Ratio& ratio, bool is_faster) {
  double low = change_percent(ratio.low);
  double high = change_percent(ratio.high);
  double middle = change_percent(ratio.median);
  if (is_faster) {
    std::swap(low, high);
    low = -low;
    high = -high;
    middle = -middle;
  }
  return fmt::format("{} % {} ({} to {} %)", percent_number(middle, false),
                     is_faster ? "faster" : "slower", percent_number(low, false),
                     percent_number(high, false));
}

/// `+6.1 % (5.2 to 7.0)`
std::string signed_text(const CompareUnit& row, std::string_view unit) {
  const Ratio& ratio = *row.ratio;
  if (!has_ratio_interval(row)) return percent_number(change_percent(ratio.median), true) + " %";
  return fmt::format("{} % ({} to {}{})", percent_number(change_percent(ratio.median), true),
                     percent_number(change_percent(ratio.low), false),
                     percent_number(change_percent(ratio.high), false), unit);
}

/// What the outcome is about: the model, else the only unit, else nothing.
const CompareUnit* subject_of(const Comparison& pair) {
  const CompareUnit& model = pair.model;
  if (model.base || model.candidate || model.verdict || !model.reason.empty()) return &model;
  return pair.units.size() == 1 ? &pair.units.front() : nullptr;
}

size_t count_of_verdict(const std::vector<CompareUnit>& units, std::optional<Verdict> verdict) {
  return static_cast<size_t>(std::ranges::count(units, verdict, &CompareUnit::verdict));
}

}  // namespace

std::string verdict_text(const CompareUnit& unit) {
  if (unit.verdict) return std::string(name_of(*unit.verdict));
  return unit.has_failed ? "failed" : "-";
}

bool has_ratio_interval(const CompareUnit& unit) { return unit.ratio && unit.rounds > 1; }

std::string change_text(const CompareUnit& unit) {
  return unit.ratio ? signed_text(unit, "") : "-";
}

std::string outcome_text(const Comparison& pair) {
  const CompareUnit* unit = subject_of(pair);
  if (unit == nullptr) return "";
  const std::string name = unit == &pair.model ? "model" : printable(unit->identity.operator_text);
  if (!unit->verdict || !unit->ratio) {
    const std::string reason = unit->reason.empty() ? "not measured" : printable(unit->reason);
    return name + " without a verdict: " + reason;
  }
  switch (*unit->verdict) {
    case Verdict::kFaster:
      return name + " " + difference_text(*unit->ratio, true);
    case Verdict::kSlower:
      return name + " " + difference_text(*unit->ratio, false);
    case Verdict::kSame:
      return name + " the same: " + signed_text(*unit, " %");
    case Verdict::kInconclusive:
      break;
  }
  const std::string text = name + " inconclusive: " + signed_text(*unit, " %");
  return unit->needs_s ? fmt::format("{}, needs about {} more", text, duration_text(*unit->needs_s))
                       : text;
}

std::string outcome_times(const Comparison& pair) {
  const CompareUnit* unit = subject_of(pair);
  if (unit == nullptr || !unit->base || !unit->candidate) return "";
  return fmt::format("{} ms to {} ms", ms_text(unit->base->median_ms),
                     ms_text(unit->candidate->median_ms));
}

std::string counts_text(const std::vector<CompareUnit>& units) {
  std::vector<std::string> parts;
  const auto add = [&](size_t count, std::string_view words) {
    if (count == 0) return;
    const std::string_view noun = !parts.empty() ? "" : count == 1 ? " unit" : " units";
    parts.push_back(fmt::format("{}{} {}", count, noun, words));
  };
  for (const Verdict verdict :
       {Verdict::kSlower, Verdict::kFaster, Verdict::kSame, Verdict::kInconclusive}) {
    add(count_of_verdict(units, verdict), name_of(verdict));
  }
  const auto failed = static_cast<size_t>(std::ranges::count_if(
      units, [](const CompareUnit& unit) { return unit.has_failed && !unit.verdict; }));
  add(count_of_verdict(units, std::nullopt) - failed, "without a verdict");
  add(failed, "failed");
  return parts.empty() ? "no units" : join(parts);
}

std::string open_text(const std::vector<CompareUnit>& units) {
  const size_t open = count_of_verdict(units, Verdict::kInconclusive);
  if (open == 0) return "";
  size_t decidable = 0;
  double seconds = 0;
  for (const CompareUnit& unit : units) {
    if (unit.verdict != Verdict::kInconclusive || !unit.needs_s) continue;
    ++decidable;
    seconds += *unit.needs_s;
  }
  if (decidable == 0) {
    return fmt::format(
        "{} inconclusive: more time alone would not decide {}, a quieter machine may", open,
        open == 1 ? "it" : "them");
  }
  std::string text =
      fmt::format("{} inconclusive: about {} more would decide ", open, duration_text(seconds));
  if (decidable == open) return text + (open == 1 ? "it" : "them");
  return text + fmt::format("{} of them, a quieter machine may decide the rest", decidable);
}

std::string side_text(const ComparedVariant& side, bool has_batch) {
  std::string text = engine_text({.engine = side.engine,
                                  .version = side.version,
                                  .versions = side.versions,
                                  .threads = side.threads,
                                  .cpus = side.cpus});
  if (side.label != side.engine) text = side.label + ": " + text;
  if (!side.device.empty()) text += ", device " + device_name(side.device);
  if (!side.emulator.empty()) text += ", emulated by " + side.emulator;
  if (!side.build.empty()) text += ", build " + side.build;
  const bool is_known = !side.program_version.empty() || !side.commit.empty();
  if (is_known || !side.build.empty()) text += ", " + program_text(side);
  if (has_batch) text += fmt::format(", batch {}", side.batch_size);
  return printable(text);
}

std::string copies_text(const std::string& label, const std::optional<Measurement>& time) {
  const std::optional<double> copies = time ? copies_ms(*time) : std::nullopt;
  if (copies.value_or(0) <= 0) return "";
  return fmt::format("{} without copies: {} ms of {} ms; copies take {} ms by the device's clock",
                     label, ms_text(*without_copies_ms(*time)), ms_text(time->median_ms),
                     ms_text(*copies));
}

std::string program_text(const ComparedVariant& side) {
  if (side.program_version.empty() && side.commit.empty()) return "OpBench of an unknown commit";
  std::string text = "OpBench";
  if (!side.program_version.empty()) text += " " + side.program_version;
  return text + " (" + (side.commit.empty() ? "commit not known" : side.commit) + ")";
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (!std::isfinite(seconds)) return "endlessly";
  if (seconds < 1.5 * kMinute) return fmt::format("{:.0f} s", std::max(1.0, std::ceil(seconds)));
  if (seconds < 1.5 * kHour) return fmt::format("{:.0f} min", std::ceil(seconds / kMinute));
  return fmt::format("{:.1f} h", std::ceil(seconds / kHour * 10) / 10);
}

std::string escaped_markdown(const std::string& text) {
  constexpr std::string_view kSpecial = "\\`*<[";
  std::string escaped;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace opbench
