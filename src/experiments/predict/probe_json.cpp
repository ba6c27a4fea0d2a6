#include "experiments/predict/probe_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "base/json/json_members.h"
#include "base/json/json_text.h"
#include "measuring/results/time_interval.h"

namespace opbench {
namespace {

constexpr const char* kProbeSchema = "opbench.probe/1";

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

Json probe_json_of(const ProbeTime& probe) {
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

Json probe_json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

}  // namespace

std::string probe_json(const DeviceDescriptor& device) {
  const auto hash = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  Json probes = Json::array();
  for (const ProbeTime& probe : device.probes) probes.push_back(probe_json_of(probe));
  const Json json = {{"schema", kProbeSchema},
                     {"engine", device.engine},
                     {"engine_version", device.version},
                     {"threads", device.threads},
                     {"cpus", device.cpus},
                     {"timestamp", device.timestamp},
                     {"machine_hash", hash(device.environment.machine_hash)},
                     {"software_hash", hash(device.environment.software_hash)},
                     {"noise", device.noise},
                     {"call_floor_ms", device.call_floor_ms},
                     {"peak_gflops", probe_json_of(device.peak_gflops)},
                     {"memory_gbytes_per_s", probe_json_of(device.memory_gbytes_per_s)},
                     {"probes", std::move(probes)},
                     {"hardware_counters", nullptr},
                     {"hardware_counters_reason", "not read: the probes are timed only"}};
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

Result<DeviceDescriptor> parse_probe_report(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const Json report, parse_json(text, what));
  const bool is_report = text_of_member(report, "schema") == kProbeSchema &&
                         report.contains("probes") && report.at("probes").is_array();
  if (!is_report) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is no report of probes", what)}.with(
        "valid", "what opbench env --probe --format json writes there");
  }
  DeviceDescriptor device;
  for (const Json& probe : report.at("probes")) {
    const bool has_time = probe.is_object() && probe.contains("workload") &&
                          probe.at("workload").is_string() && probe.contains("median_ms") &&
                          probe.at("median_ms").is_number();
    if (!has_time) continue;  // it says why
    device.probes.push_back(
        {.probe = {.workload = probe.at("workload").get<std::string>()},
         .time = Measurement{.median_ms = probe.at("median_ms").get<double>()}});
  }
  return device;
}

}  // namespace opbench
