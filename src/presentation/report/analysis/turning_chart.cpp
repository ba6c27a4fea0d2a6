#include "presentation/report/analysis/turning_chart.h"

#include "base/text/display_width.h"

namespace opbench {
namespace {

ChartSeries measured(const TurningSeries& series) {
  ChartSeries drawn{series.name.empty() ? "measured" : printable(series.name), {}};
  for (const CurvePoint& point : series.curve) {
    drawn.points.push_back({point.x, point.y, point.y, point.y});
  }
  return drawn;
}

ChartSeries fitted(const TurningSeries& series) {
  const CurveFit& fit = series.point->forms.front();
  ChartSeries drawn{"fitted: " + std::string(name_of(fit.form)), {}};
  for (size_t i = 0; i < series.curve.size(); ++i) {
    drawn.points.push_back({series.curve[i].x, fit.fitted[i], fit.fitted[i], fit.fitted[i]});
  }
  return drawn;
}

}  // namespace

Chart turning_chart(const TurningReport& report) {
  Chart chart;
  chart.title = printable(report.subject.empty() ? report.source : report.subject);
  if (report.series.empty()) return chart;
  const TurningSeries& first = report.series.front();
  chart.x_label = printable(first.axis);
  chart.y_label = printable(report.time_name);
  if (!report.unit.empty()) chart.y_label += ", " + report.unit;
  if (report.is_per_item) chart.y_label += ", an item";
  for (const TurningSeries& series : report.series) {
    if (series.axis == first.axis) chart.series.push_back(measured(series));
  }
  if (chart.series.size() == 1 && first.point) chart.series.push_back(fitted(first));
  return chart;
}

}  // namespace opbench
