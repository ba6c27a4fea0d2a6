#include "presentation/report/analysis/correlation_chart.h"

#include <cmath>

#include "base/text/display_width.h"

namespace opbench {
namespace {

bool depends(const FactorCorrelation& factor) {
  return factor.verdict == FactorVerdict::kMonotone || factor.verdict == FactorVerdict::kTurning ||
         factor.verdict == FactorVerdict::kWords;
}

}  // namespace

Chart factors_chart(const TaskCorrelation& task) {
  Chart chart;
  chart.title = printable(task.task.empty() ? "factors" : task.task);
  chart.x_label = "factor";
  chart.y_label = "dependence, 0 to 1";
  chart.series = {{"|rho| (Spearman)", {}},
                  {"distance correlation", {}},
                  {"mutual information", {}},
                  {"share of variance", {}}};
  const auto add = [&](size_t series, double value) {
    const auto x = static_cast<double>(chart.categories.size());
    chart.series[series].points.push_back({x, value, value, value});
  };
  for (const FactorCorrelation& factor : task.table.factors) {
    if (factor.shape.bins.empty()) continue;
    if (factor.spearman) add(0, std::fabs(factor.spearman->value));
    if (factor.distance) add(1, factor.distance->value);
    if (factor.information) add(2, factor.information->value);
    add(3, factor.shape.share);
    chart.categories.push_back(printable(factor.factor));
  }
  return chart;
}

Chart factor_chart(const FactorCorrelation& factor, bool is_relative) {
  Chart chart;
  chart.title = printable(factor.factor);
  chart.x_label = printable(factor.factor);
  chart.y_label = is_relative ? "median time over the mean of the workload" : "median time";
  for (const std::string& word : factor.words) chart.categories.push_back(printable(word));
  ChartSeries series{"median", {}};
  for (size_t i = 0; i < factor.shape.bins.size(); ++i) {
    const FactorBin& bin = factor.shape.bins[i];
    const bool is_log = bin.low > 0;
    const double middle = is_log ? std::sqrt(bin.low * bin.high) : (bin.low + bin.high) / 2;
    const double x = factor.words.empty() ? middle : static_cast<double>(i);
    series.points.push_back({x, std::exp(bin.median), std::exp(bin.lower), std::exp(bin.upper)});
  }
  chart.series.push_back(std::move(series));
  return chart;
}

const FactorCorrelation* strongest_factor(const TaskCorrelation& task) {
  const FactorCorrelation* strongest = nullptr;
  for (const FactorCorrelation& factor : task.table.factors) {
    if (!depends(factor)) continue;
    if (strongest == nullptr || factor.shape.effect > strongest->shape.effect) strongest = &factor;
  }
  return strongest;
}

}  // namespace opbench
