#include "presentation/report/chart/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "base/text/display_width.h"
#include "presentation/report/chart/chart_svg.h"
#include "presentation/report/chart/chart_text.h"

namespace opbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ChartPoint point(double x, double y) { return {x, y, 0.95 * y, 1.05 * y}; }

Chart two_lines() {
  return {.title = "conv2d",
          .x_label = "batch",
          .y_label = "time, ms",
          .series = {{"1 thread", {point(1, 1), point(8, 8), point(32, 32)}},
                     {"2 threads", {point(1, 1), point(8, 4), point(32, 16)}}}};
}

Chart bars() {
  return {.title = "a < b & \"c\"",
          .x_label = "engine",
          .y_label = "time, ms",
          .categories = {"halide", "onednn"},
          .series = {{"<1>", {point(0, 2), point(1, 3)}}}};
}

/// Why the text is no well-formed XML, as far as tags, quotes and entities go; empty if it is.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const std::string entity = text.substr(i, text.find(';', i) + 1 - i);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") {
        return "entity " + entity;
      }
    }
    if (text[i] != '<') continue;
    const size_t end = text.find('>', i);
    if (end == std::string::npos) return "a tag has no end";
    const std::string tag = text.substr(i + 1, end - i - 1);
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "quotes in " + tag;
    if (tag.find('<') != std::string::npos) return "a tag in " + tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "end of " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    i = end;
  }
  return open.empty() ? "" : "no end of " + open.back();
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ChartAxis, StartsAtZeroWithRoundTicksWithinAFactorOfTen) {
  const ChartAxis axis = value_axis(2, 9, 6);
  EXPECT_FALSE(axis.is_log);
  EXPECT_THAT(axis.ticks, ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_EQ(place_on(axis, 5), 0.5);
}

TEST(ChartAxis, IsLogarithmicBeyondAFactorOfTen) {
  const ChartAxis axis = value_axis(0.02, 2, 10);
  EXPECT_TRUE(axis.is_log);
  EXPECT_THAT(axis.ticks,
              ElementsAre(DoubleNear(0.02, 1e-9), DoubleNear(0.05, 1e-9), DoubleNear(0.1, 1e-9),
                          DoubleNear(0.2, 1e-9), DoubleNear(0.5, 1e-9), DoubleNear(1, 1e-9),
                          DoubleNear(2, 1e-9)));
  EXPECT_NEAR(place_on(axis, 0.2), 0.5, 1e-9);
  EXPECT_LE(value_axis(1e-6, 1e6, 5).ticks.size(), 5U);
}

TEST(ChartAxis, HasNoRoomForNothing) {
  EXPECT_EQ(value_axis(0, 0, 5).ticks.size(), 0U);
  EXPECT_EQ(sample_axis({}, 5).ticks.size(), 0U);
  EXPECT_EQ(place_on(sample_axis({4}, 5), 4), 0.5);
}

TEST(ChartAxis, WritesTicksShort) {
  EXPECT_EQ(tick_text(0), "0");
  EXPECT_EQ(tick_text(0.3 - 0.1), "0.2");
  EXPECT_EQ(tick_text(1500), "1500");
}

TEST(ChartText, DrawsAMarkOfItsOwnForEachSeries) {
  const std::string text = chart_text(two_lines(), {.width = 40, .height = 8});
  EXPECT_THAT(text, HasSubstr("time, ms (log): conv2d\n"));
  EXPECT_THAT(text, HasSubstr("  ● 1 thread\n  ▲ 2 threads\n  ✱ several\n"));
  EXPECT_EQ(count_of(text, "●"), 3U);  // the legend, and two that stand alone
  EXPECT_EQ(count_of(text, "✱"), 2U);
  EXPECT_THAT(text, HasSubstr("batch (log)"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 40U) << line;
}

TEST(ChartText, UsesAsciiWhereAsked) {
  for (const char c : chart_text(two_lines(), {.is_unicode = false})) EXPECT_GT(c, 0);
}

TEST(ChartText, NamesCategories) {
  const std::string text = chart_text(bars(), {});
  EXPECT_THAT(text, HasSubstr("halide"));
  EXPECT_THAT(text, HasSubstr("onednn"));
  EXPECT_THAT(text, Not(HasSubstr("·")));
}

TEST(ChartText, SaysHowManySeriesItLeavesOut) {
  Chart chart = two_lines();
  for (int i = 0; i < 40; ++i) chart.series.push_back({std::to_string(i), {point(8, i + 1)}});
  EXPECT_THAT(chart_text(chart, {}), HasSubstr("more series are not drawn"));
}

TEST(ChartText, IsEmptyWithoutPoints) {
  EXPECT_EQ(chart_text({}, {}), "");
  EXPECT_EQ(chart_text({.series = {{"a", {}}}}, {}), "");
}

TEST(ChartSvg, IsWellFormed) {
  for (const Chart& chart : {two_lines(), bars(), Chart()}) {
    const std::string svg = chart_svg(chart);
    EXPECT_EQ(xml_fault(svg), "") << svg;
    EXPECT_THAT(svg, HasSubstr("xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
  }
}

TEST(ChartSvg, EscapesNamesAndDropsWhatXmlForbids) {
  Chart chart = bars();
  EXPECT_THAT(chart_svg(chart), HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  chart.title = "x\x01y\xFFz\xC3\xA9";
  EXPECT_THAT(chart_svg(chart), HasSubstr("<title>x?y?z\xC3\xA9</title>"));
}

TEST(ChartSvg, DrawsALineAndWhiskersForEachSeries) {
  const std::string lines = chart_svg(two_lines());
  EXPECT_EQ(count_of(lines, " line\""), 2U);
  EXPECT_EQ(count_of(lines, "<line class=\"s0\""), 9U);  // three whiskers with two caps each
  EXPECT_THAT(lines, HasSubstr("time, ms (log scale)"));
  EXPECT_THAT(lines, HasSubstr(">2 threads<"));
  EXPECT_EQ(count_of(chart_svg(bars()), " line\""), 0U);
}

TEST(ChartSvg, FollowsTheReadersTheme) {
  EXPECT_THAT(chart_svg(two_lines()), HasSubstr("prefers-color-scheme: dark"));
}

}  // namespace
}  // namespace opbench
