#include "presentation/report/predict/probe_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "measuring/results/time_interval.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// What the kernel of the system counted while a probe ran.
struct SoftwareEvents {
  int64_t involuntary_switches = 0;
  int64_t minor_faults = 0;
};

SoftwareEvents events_of(const Measurement& time) {
  SoftwareEvents events;
  for (const Sample& sample : time.samples) {
    events.involuntary_switches += sample.involuntary_switches;
    events.minor_faults += sample.minor_faults;
  }
  return events;
}

Json probe_report_json_of(const ProbeTime& probe) {
  Json json = {
      {"name", probe.probe.name}, {"about", probe.probe.about}, {"workload", probe.probe.workload}};
  if (!probe.time) {
    json["median_ms"] = nullptr;
    json["reason"] = probe.reason;
    return json;
  }
  const SoftwareEvents events = events_of(*probe.time);
  json["median_ms"] = probe.time->median_ms;
  const std::optional<Interval> interval = interval_of(*probe.time);
  json["low_ms"] = interval ? Json(interval->low) : Json();
  json["high_ms"] = interval ? Json(interval->high) : Json();
  json["relative"] = probe.relative > 0 ? Json(probe.relative) : Json();
  json["involuntary_switches"] = events.involuntary_switches;
  json["minor_faults"] = events.minor_faults;
  return json;
}

Json probe_report_json_of(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

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

std::string probe_json(const DeviceDescriptor& device) {
  const Json environment = Json::parse(device.environment_json, nullptr, false);
  const auto hash = [&](const char* name) {
    return environment.is_object() ? environment.value(name, Json()) : Json();
  };
  Json probes = Json::array();
  for (const ProbeTime& probe : device.probes) probes.push_back(probe_report_json_of(probe));
  const Json json = {{"schema", "opbench.probe/1"},
                     {"engine", device.engine},
                     {"engine_version", device.version},
                     {"threads", device.threads},
                     {"cpus", device.cpus},
                     {"timestamp", device.timestamp},
                     {"machine_hash", hash("machine_hash")},
                     {"software_hash", hash("software_hash")},
                     {"noise", device.noise},
                     {"call_floor_ms", device.call_floor_ms},
                     {"peak_gflops", probe_report_json_of(device.peak_gflops)},
                     {"memory_gbytes_per_s", probe_report_json_of(device.memory_gbytes_per_s)},
                     {"probes", std::move(probes)},
                     {"hardware_counters", nullptr},
                     {"hardware_counters_reason", "not read: the probes are timed only"}};
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

}  // namespace opbench
