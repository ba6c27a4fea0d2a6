#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/system/seconds.h"
#include "measuring/results/time_interval.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/html/svg_parts.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr double kLane = 9;
constexpr size_t kMostOfProcess = 150;

/// What a strip shows of one side: samples by process.
struct StripSide {
  const Measurement* time = nullptr;
  std::map<int, std::vector<double>> processes;  ///< milliseconds
  size_t samples = 0;
};

StripSide strip_side(const Measurement* time) {
  StripSide side{.time = time, .processes = {}};
  if (time == nullptr) return side;
  for (const Sample& sample : time->samples) {
    if (!sample.flag.empty()) continue;
    side.processes[sample.process].push_back(s_to_ms(sample.wall_s));
    ++side.samples;
  }
  return side;
}

/// Of many samples every so manieth in order of size: the form of the strip stays.
std::vector<double> thinned(std::vector<double> values) {
  if (values.size() <= kMostOfProcess) return values;
  std::ranges::sort(values);
  std::vector<double> fewer;
  for (size_t i = 0; i < kMostOfProcess; ++i) {
    fewer.push_back(values[i * (values.size() - 1) / (kMostOfProcess - 1)]);
  }
  return fewer;
}

struct StripScale {
  double low = 0, high = 0;
  /// Of 1000, with room for half a mark at both ends.
  double at(double ms) const { return high > low ? 10 + (ms - low) / (high - low) * 980 : 500; }
};

void widen(StripScale& scale, const StripSide& side) {
  const auto take = [&](double ms) {
    if (scale.high == 0) scale.low = scale.high = ms;
    scale.low = std::min(scale.low, ms);
    scale.high = std::max(scale.high, ms);
  };
  for (const auto& [process, values] : side.processes) std::ranges::for_each(values, take);
  if (side.time == nullptr) return;
  take(side.time->median_ms);
  if (const auto interval = interval_of(*side.time)) {
    take(interval->low);
    take(interval->high);
  }
}

/// The samples of a side, a lane a process; behind them the interval as a band, the median as a
/// line.
std::string side_svg(const StripSide& side, const StripScale& scale, double top, bool is_base) {
  if (side.time == nullptr) return "";
  const double height = kLane * static_cast<double>(std::max<size_t>(side.processes.size(), 1));
  std::string svg;
  if (const auto interval = interval_of(*side.time)) {
    const double low = scale.at(interval->low);
    svg += fmt::format(
        "<rect class=\"band\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/>",
        low, top, std::max(2.0, scale.at(interval->high) - low), height);
  }
  std::string path;
  double y = top + kLane / 2;
  for (const auto& [process, values] : side.processes) {
    for (const double ms : thinned(values))
      path += fmt::format("M{:.0f} {:.1f}h0", scale.at(ms), y);
    y += kLane;
  }
  if (!path.empty()) {
    svg += fmt::format("<path class=\"{}\" d=\"{}\"/>", is_base ? "pts old" : "pts", path);
  }
  const double middle = scale.at(side.time->median_ms);
  svg += fmt::format("<path class=\"med\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", middle, top - 1,
                     top + height + 1);
  return svg;
}

std::string side_text(const StripSide& side, const std::string& name) {
  if (side.time == nullptr) return "";
  std::string text = fmt::format("{}{} ms", name, ms_text(side.time->median_ms));
  if (const auto interval = interval_of(*side.time)) {
    text += fmt::format(" [{}, {}]", ms_text(interval->low), ms_text(interval->high));
  }
  text += fmt::format(", {} samples of {} call{}", side.samples, side.time->number,
                      side.time->number == 1 ? "" : "s");
  int64_t dropped = 0;
  std::string causes;
  for (const auto& [cause, count] : side.time->dropped) {
    dropped += count;
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", cause, count);
  }
  if (dropped > 0) text += fmt::format("; {} left out ({})", dropped, causes);
  return text;
}

std::string strip_html(const std::string& name, const std::string& shapes, const StripSide& side,
                       const StripSide& base) {
  StripScale scale;
  widen(scale, side);
  widen(scale, base);
  const double lanes = kLane * static_cast<double>(std::max<size_t>(side.processes.size(), 1));
  const double base_lanes =
      base.time == nullptr
          ? 0
          : kLane * static_cast<double>(std::max<size_t>(base.processes.size(), 1)) + 4;
  std::string svg = fmt::format(
      "<svg width=\"100%\" height=\"{0:.0f}\" viewBox=\"0 0 1000 {0:.0f}\" "
      "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"samples of {1}\">{2}{3}</svg>",
      lanes + base_lanes + 4, escaped(name), side_svg(side, scale, 2, false),
      side_svg(base, scale, lanes + 6, true));
  std::string html = "<li><div class=\"strip-name\"><b>" + escaped(name) + "</b><small>" +
                     escaped(shapes) + "</small></div><div class=\"strip\">" + svg;
  html += fmt::format("<div class=\"ends\"><span>{}</span><span>{} ms</span></div></div>",
                      ms_text(scale.low), ms_text(scale.high));
  html += "<div class=\"strip-text\"><span>" + escaped(side_text(side, "")) + "</span>";
  if (base.time != nullptr) html += "<span>" + escaped(side_text(base, "base ")) + "</span>";
  return html + "</div></li>\n";
}

const Measurement* time_of(const std::vector<const UnitResult*>& units) {
  return units.size() == 1 && units[0]->time ? &*units[0]->time : nullptr;
}

const Measurement* whole_time(const EngineResult* run) {
  return run != nullptr && run->model.end_to_end ? &*run->model.end_to_end : nullptr;
}

}  // namespace

std::string samples_section(const PagePair& pair) {
  const std::string id = "samples-" + pair.model.id;
  std::string rows;
  bool has_samples = false;
  const auto add = [&](const std::string& name, const std::string& shapes, const Measurement* time,
                       const Measurement* base) {
    const StripSide side = strip_side(time), other = strip_side(base);
    if (side.time == nullptr && other.time == nullptr) return;
    has_samples = has_samples || side.samples + other.samples > 0;
    rows += strip_html(name, shapes, side, other);
  };
  add("end to end", "the whole model", whole_time(pair.run), whole_time(pair.base));
  size_t number = 0;
  for (const auto* list : {&pair.rows, &pair.only_here}) {
    for (const PageRow& row : *list) {
      add(fmt::format("{} {}", ++number, row_name(row)), row_shapes(row), time_of(row.units),
          time_of(row.base));
    }
  }
  if (rows.empty()) {
    return section_html(id, "Samples", "none",
                        paragraph_html("No row was measured in isolation, and there is no "
                                       "end-to-end time."));
  }
  std::string note =
      "Every dot is a sample, every line of dots a process; the upright line is the median, the "
      "band behind it the 95 % interval. Each strip has its own scale.";
  if (pair.base != nullptr) note += " The lower, square marks are the base's.";
  if (!has_samples)
    note =
        "The report holds no samples: it comes from an older OpBench. Shown are "
        "medians and intervals.";
  return section_html(id, "Samples", "isolated times of every row",
                      paragraph_html(note, "dim") + "<ul class=\"strips\">\n" + rows + "</ul>\n",
                      false);
}

}  // namespace opbench
