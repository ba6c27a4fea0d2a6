#include "presentation/report/chart/chart_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/text/display_width.h"

namespace opbench {
namespace {

/// Marks, the sign for several in one place, dots between points, the frame.
struct Signs {
  std::array<std::string_view, 8> marks;
  std::string_view several, between, vertical, tick, corner, horizontal, down;
};

constexpr Signs kUnicode = {
    {"●", "▲", "■", "◆", "○", "△", "□", "◇"}, "✱", "·", "│", "┤", "└", "─", "┬"};
constexpr Signs kAscii = {
    {"o", "x", "+", "#", "@", "%", "&", "="}, "*", ".", "|", "+", "+", "-", "+"};

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwyz";
constexpr size_t kMostSeries = 8 + kLetters.size();

std::string_view mark_of(const Signs& signs, size_t series) {
  if (series < signs.marks.size()) return signs.marks[series];
  return kLetters.substr(series - signs.marks.size(), 1);
}

class TextPlot {
 public:
  TextPlot(const Chart& chart, const ChartTextOptions& options)
      : chart_(chart),
        signs_(options.is_unicode ? kUnicode : kAscii),
        rows_(static_cast<size_t>(std::max(options.height, 4))),
        width_(static_cast<size_t>(std::max(options.width, 30))),
        y_(y_axis_of(chart, rows_ / 2)) {
    if (y_.is_log) y_ = y_axis_of(chart, rows_ * 2 / 3);
    for (const double tick : y_.ticks) {
      label_width_ = std::max(label_width_, tick_text(tick).size());
    }
    columns_ = width_ - label_width_ - 2;
    x_ = x_axis_of(chart, columns_ / 8);
    cells_.assign(rows_, std::vector<Cell>(columns_));
  }

  std::string draw() {
    const size_t shown = std::min(chart_.series.size(), kMostSeries);
    for (size_t i = 0; i < shown; ++i) {
      if (chart_.categories.empty()) connect(chart_.series[i]);
    }
    for (size_t i = 0; i < shown; ++i) {
      for (const ChartPoint& point : chart_.series[i].points) {
        Cell& cell = cells_[row_of(point.y)][column_of(point.x)];
        cell.sign = cell.is_mark ? signs_.several : mark_of(signs_, i);
        cell.is_mark = true;
      }
    }
    return head() + body() + foot() + legend(shown);
  }

 private:
  struct Cell {
    std::string_view sign = " ";
    bool is_mark = false;
  };

  size_t column_of(double x) const {
    return static_cast<size_t>(std::lround(place_on(x_, x) * static_cast<double>(columns_ - 1)));
  }
  size_t row_of(double y) const {
    const double from_top = (1 - place_on(y_, y)) * static_cast<double>(rows_ - 1);
    return static_cast<size_t>(std::lround(from_top));
  }

  void connect(const ChartSeries& series) {
    for (size_t i = 1; i < series.points.size(); ++i) {
      const ChartPoint& a = series.points[i - 1];
      const ChartPoint& b = series.points[i];
      const size_t first = column_of(a.x);
      const size_t last = column_of(b.x);
      for (size_t column = first + 2; column + 1 < last; column += 2) {
        const double share =
            static_cast<double>(column - first) / static_cast<double>(last - first);
        const double place = place_on(y_, a.y) + share * (place_on(y_, b.y) - place_on(y_, a.y));
        const auto row =
            static_cast<size_t>(std::lround((1 - place) * static_cast<double>(rows_ - 1)));
        cells_[row][column].sign = signs_.between;
      }
    }
  }

  std::string head() const {
    std::string scale = y_.is_log ? " (log)" : "";
    const std::string title = chart_.y_label + scale + ": " + chart_.title;
    return shorten(title, width_) + "\n";
  }

  std::string body() const {
    std::vector<std::string> labels(rows_);
    for (const double tick : y_.ticks) labels[row_of(tick)] = tick_text(tick);
    std::string text;
    for (size_t row = 0; row < rows_; ++row) {
      std::string line = pad_left(labels[row], label_width_) + " ";
      line += labels[row].empty() ? signs_.vertical : signs_.tick;
      for (const Cell& cell : cells_[row]) line += cell.sign;
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

  /// The x axis, its ticks, and their values where there is room.
  std::string foot() const {
    std::vector<std::string_view> line(columns_, signs_.horizontal);
    std::string labels(label_width_ + 2 + columns_, ' ');
    size_t free_from = 0;
    for (const double tick : x_.ticks) {
      const size_t column = column_of(tick);
      line[column] = signs_.down;
      const std::string label = chart_.categories.empty()
                                    ? tick_text(tick)
                                    : chart_.categories[static_cast<size_t>(tick)];
      const size_t size = std::min(label.size(), columns_);
      const size_t centre = label_width_ + 2 + column;
      size_t begin = centre > size / 2 ? centre - size / 2 : 0;
      begin = std::min(begin, labels.size() - size);
      if (begin < free_from) continue;
      labels.replace(begin, size, label, 0, size);
      free_from = begin + size + 1;
    }
    std::string text(label_width_ + 1, ' ');
    text += signs_.corner;
    for (const std::string_view sign : line) text += sign;
    labels.erase(labels.find_last_not_of(' ') + 1);
    const std::string scale = x_.is_log ? " (log)" : "";
    return text + "\n" + labels + "\n" + std::string(label_width_ + 2, ' ') + chart_.x_label +
           scale + "\n";
  }

  std::string legend(size_t shown) const {
    std::string text;
    for (size_t i = 0; i < shown && chart_.series.size() > 1; ++i) {
      text += fmt::format("  {} {}\n", mark_of(signs_, i), chart_.series[i].name);
    }
    const bool has_several = std::ranges::any_of(cells_, [&](const std::vector<Cell>& row) {
      return std::ranges::any_of(row, [&](const Cell& c) { return c.sign == signs_.several; });
    });
    if (has_several) text += fmt::format("  {} several\n", signs_.several);
    if (shown < chart_.series.size()) {
      text += fmt::format("  {} more series are not drawn\n", chart_.series.size() - shown);
    }
    return text;
  }

  const Chart& chart_;
  const Signs& signs_;
  size_t rows_, width_;
  ChartAxis y_, x_;
  size_t label_width_ = 0, columns_ = 0;
  std::vector<std::vector<Cell>> cells_;
};

}  // namespace

std::string chart_text(const Chart& chart, const ChartTextOptions& options) {
  const bool has_points = std::ranges::any_of(
      chart.series, [](const ChartSeries& series) { return !series.points.empty(); });
  return has_points ? TextPlot(chart, options).draw() : "";
}

}  // namespace opbench
