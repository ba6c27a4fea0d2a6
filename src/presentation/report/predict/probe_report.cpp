#include "presentation/report/predict/probe_report.h"

#include <fmt/format.h>

#include "measuring/results/time_interval.h"
#include "presentation/report/text/number_text.h"

namespace opbench {

TextTable probe_table(const DeviceDescriptor& device) {
  TextTable table;
  table.columns = {
      {.header = "probe"},
      {.header = "tells", .shrinks_to = 16},
      {.header = "workload", .shrinks_to = 16, .drop_order = 1},
      {.header = "time", .is_right_aligned = true, .unit = "ms"},
      {.header = "interval", .unit = "ms", .numbers = {"interval low", "interval high"}},
      {.header = "relative", .is_right_aligned = true, .unit = "to the first"}};
  for (const ProbeTime& probe : device.probes) {
    TextRow row{{probe.probe.name, probe.probe.about, probe.probe.workload}};
    if (probe.time) {
      row.cells.push_back(ms_text(probe.time->median_ms));
      const std::optional<Interval> interval = interval_of(*probe.time);
      row.cells.push_back(
          interval ? fmt::format("[{}, {}]", ms_text(interval->low), ms_text(interval->high))
                   : "-");
      row.cells.push_back(probe.relative > 0 ? fmt::format("{:.3f}", probe.relative) : "-");
    } else {
      row.cells.insert(row.cells.end(), {"-", "-", "-"});
      row.below.push_back(probe.reason);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string probe_summary(const DeviceDescriptor& device) {
  std::string text = fmt::format(
      "{} {}, {} {}; an empty call takes {}\n", device.engine, device.version, device.threads,
      device.threads == 1 ? "thread" : "threads", floor_text(device.call_floor_ms));
  if (!device.noise.empty()) text += device.noise + "\n";
  return text;
}

}  // namespace opbench
