#include "experiments/sweep/sweep_point.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "base/json/json.h"
#include "base/system/seconds.h"
#include "measuring/results/time_interval.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

constexpr const char* kEndToEnd = "end_to_end_ms";
constexpr const char* kEndToEndLow = "end_to_end_low_ms";
constexpr const char* kEndToEndHigh = "end_to_end_high_ms";

void add(std::optional<double>& sum, std::optional<double> part) {
  if (part) sum = sum.value_or(0) + *part;
}

void add_rates(SweepPoint& point, const EngineResult& engine) {
  if (!point.time || point.time->median_ms <= 0) return;
  const double seconds = ms_to_s(point.time->median_ms);
  if (point.flops) point.gflops_per_s = *point.flops / seconds * 1e-9;
  if (point.bytes) point.gbytes_per_s = *point.bytes / seconds * 1e-9;
  if (point.gflops_per_s && engine.peak_gflops.value_or(0) > 0) {
    point.percent_of_peak = *point.gflops_per_s / *engine.peak_gflops * 100;
  }
}

/// What bounds the units that take most of the time.
std::string main_bound(const EngineResult& engine) {
  std::map<std::string, double> total_ms;
  for (const UnitResult& unit : engine.units) {
    if (!unit.bound.empty()) total_ms[unit.bound] += unit.total_ms;
  }
  const auto most =
      std::ranges::max_element(total_ms, {}, [](const auto& entry) { return entry.second; });
  return most == total_ms.end() ? "" : most->first;
}

void add_costs(SweepPoint& point, const EngineResult& engine) {
  if (!point.workload.empty()) {
    const Result<Workload> workload = parse_workload(point.workload);
    if (!workload) return;
    point.flops = flops_of(*workload);
    point.bytes = bytes_of(*workload);
    return;
  }
  for (const UnitResult& unit : engine.units) {
    const auto count = static_cast<double>(unit.count);
    if (unit.flops) add(point.flops, *unit.flops * count);
    if (unit.bytes) add(point.bytes, *unit.bytes * count);
  }
}

std::string why_no_time(const EngineResult& engine) {
  for (const UnitResult& unit : engine.units) {
    if (!unit.failure) continue;
    return fmt::format("{} {}: {}", unit.identity.operator_text, short_shapes(unit.identity),
                       to_text(*unit.failure));
  }
  if (engine.model.failure) return to_text(*engine.model.failure);
  if (engine.units.size() > 1) {
    return fmt::format("{} runs it in {} parts, not as a whole", engine.engine,
                       engine.units.size());
  }
  return engine.model.end_to_end_reason.empty() ? "no time was taken"
                                                : engine.model.end_to_end_reason;
}

std::optional<double> metric(const BenchmarkRecord& record, const char* name) {
  if (!record.metrics) return {};
  const auto value = record.metrics->find(name);
  return value == record.metrics->end() ? std::nullopt : std::optional(value->second);
}

std::optional<Measurement> time_of(const BenchmarkRecord& record) {
  if (record.status != "ok" || !record.runtime_ms_median) return {};
  Measurement time;
  time.median_ms = *record.runtime_ms_median;
  time.low_ms = record.runtime_ms_low.value_or(time.median_ms);
  time.high_ms = record.runtime_ms_high.value_or(time.median_ms);
  time.min_ms = record.runtime_ms_min.value_or(time.low_ms);
  time.mean_ms = record.runtime_ms_mean.value_or(time.median_ms);
  time.stop_reason = record.stop_reason.value_or("");
  time.steady = record.steady.value_or(true);
  time.processes = static_cast<int>(record.processes.value_or(0));
  for (const double ms : record.runtime_raw_ms.value_or(std::vector<double>())) {
    time.samples.push_back({.wall_s = ms_to_s(ms)});
  }
  return time;
}

std::optional<Measurement> end_to_end_of(const BenchmarkRecord& record) {
  const auto median = metric(record, kEndToEnd);
  if (!median) return {};
  Measurement time;
  time.median_ms = time.mean_ms = *median;
  time.low_ms = time.min_ms = metric(record, kEndToEndLow).value_or(*median);
  time.high_ms = metric(record, kEndToEndHigh).value_or(*median);
  return time;
}

UnitResult unit_of(const ReplayItem& item) {
  const BenchmarkRecord& record = item.record;
  UnitResult unit;
  unit.identity = identity_from({.workload = workload_text(item.identity)});
  unit.count = record.count.value_or(1);
  unit.time = time_of(record);
  unit.in_place_ms = record.runtime_ms_in_place;
  unit.flops = metric(record, "flops");
  unit.bytes = metric(record, "bytes");
  unit.total_ms = metric(record, "total_ms").value_or(0);
  if (record.status == "error") {
    unit.failure = Failure{FailureKind::kRunError, record.error_message.value_or("")};
  }
  return unit;
}

CheckResult check_of(const BenchmarkRecord& record) {
  CheckResult check;
  if (!record.check) return check;
  const Json json = Json::parse(record.check->text, nullptr, false);
  if (!json.is_object()) return check;
  const auto engine = json.find("engine");
  const auto error = json.find("max_relative_error");
  const auto passed = json.find("passed");
  const auto reason = json.find("reason");
  if (engine != json.end() && engine->is_string()) check.engine = *engine;
  if (error != json.end() && error->is_number()) check.max_relative_error = error->get<double>();
  if (reason != json.end() && reason->is_string()) check.reason = *reason;
  check.passed = passed != json.end() && passed->is_boolean() && passed->get<bool>();
  return check;
}

}  // namespace

void fill_point(SweepPoint& point, const EngineResult& engine, CacheMode cache) {
  point.version = engine.version;
  point.cpus = engine.cpus;
  point.check = engine.check;
  const auto unit = std::ranges::find_if(engine.units, [&](const UnitResult& each) {
    return !point.workload.empty() && workload_text(each.identity) == point.workload;
  });
  const bool has_unit = unit != engine.units.end();
  add_costs(point, engine);
  if (has_unit && unit->time) {
    point.time = unit->time;
    point.time_of = "alone";
    point.bound = unit->bound;
  } else if (engine.model.end_to_end && !point.workload.empty() && cache != CacheMode::kHot) {
    point.failure = fmt::format(
        "{} gives no time of the isolated operator, and its time end to end "
        "is always with warm caches",
        engine.engine);
  } else if (engine.model.end_to_end && !(has_unit && unit->failure)) {
    point.time = engine.model.end_to_end;
    point.time_of = "end to end";
    point.bound = main_bound(engine);
  } else {
    point.failure = why_no_time(engine);
  }
  const bool is_wrong = is_refused(engine.engine, engine.check);
  if (is_wrong) point.time.reset();
  if (is_wrong && point.failure.empty()) {
    point.failure = fmt::format("the check against {} did not pass: {}", engine.check.engine,
                                engine.check.reason);
  }
  add_rates(point, engine);
}

void add_end_to_end(const SweepPoint& point, std::vector<BenchmarkRecord>& records) {
  if (point.workload.empty() || point.time_of != "end to end" || !point.time) return;
  if (records.empty()) return;
  if (!records[0].metrics) records[0].metrics.emplace();
  std::map<std::string, double>& metrics = *records[0].metrics;
  metrics[kEndToEnd] = point.time->median_ms;
  if (const std::optional<Interval> interval = interval_of(*point.time)) {
    metrics[kEndToEndLow] = interval->low;
    metrics[kEndToEndHigh] = interval->high;
  }
}

EngineResult engine_result_of(const std::vector<const ReplayItem*>& items) {
  EngineResult engine;
  engine.engine = items.front()->record.engine;
  engine.version = items.front()->record.engine_version.value_or("");
  engine.threads = static_cast<int>(items.front()->threads);
  engine.cpus = items.front()->cpus;
  engine.check = check_of(items.front()->record);
  for (const ReplayItem* item : items) {
    const BenchmarkRecord& record = item->record;
    if (const auto peak = metric(record, "peak_gflops")) engine.peak_gflops = peak;
    if (record.scope == "model") {
      engine.model.end_to_end = time_of(record);
      continue;
    }
    engine.units.push_back(unit_of(*item));
    if (const auto time = end_to_end_of(record)) engine.model.end_to_end = time;
    const auto rate = metric(record, "gflops_per_s");
    const auto percent = metric(record, "percent_of_peak");
    if (!engine.peak_gflops && rate && percent.value_or(0) > 0) {
      engine.peak_gflops = *rate / *percent * 100;
    }
  }
  return engine;
}

}  // namespace opbench
