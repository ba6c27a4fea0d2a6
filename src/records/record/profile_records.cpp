#include "records/record/profile_records.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/system/seconds.h"
#include "base/text/shell_word.h"
#include "measuring/results/call_steps.h"
#include "measuring/results/finding.h"
#include "measuring/results/percentiles.h"
#include "measuring/results/sample_flags.h"
#include "measuring/results/time_interval.h"
#include "records/json/json_member.h"
#include "records/record/error_number.h"
#include "records/record/record_environment.h"

namespace opbench {
namespace {

JsonText profile_records_text_of(const Json& json) { return {canonical_text(json)}; }

/// What every record of a run says.
class RunWriter {
 public:
  explicit RunWriter(const ProfileResult& profile) : profile_(profile) {}

  BenchmarkRecord unit(const EngineResult& engine, const UnitResult& unit) const {
    BenchmarkRecord record = start(engine);
    record.scope = "unit";
    record.workload = workload_name(engine.engine, unit);
    record.workload_args = profile_records_text_of({{"operator", unit.identity.operator_text},
                                                    {"shapes", short_shapes(unit.identity)},
                                                    {"workload", workload_text(unit.identity)}});
    record.nodes = unit.identity.nodes;
    record.count = unit.count;
    record.reproducer = unit.reproducer;
    if (!unit.remark.empty()) add_remark(unit.remark, record);
    if (!unit.bound.empty()) add_to_metadata("bound", unit.bound, record);
    record.runtime_ms_in_place = unit.in_place_ms;
    if (!unit.code_hash.empty()) record.code_hash = unit.code_hash;
    if (!unit.identity.schedule.empty()) {
      Json config = {{"schedule", unit.identity.schedule}, {"layouts", layouts_of(unit.identity)}};
      if (!unit.identity.origin.empty()) config["tuned_from"] = unit.identity.origin;
      record.compilation_config = profile_records_text_of(config);
    }
    add_unit_metrics(unit, record);
    add_compile_reasons(std::span(&unit, 1), record);
    if (unit.time) {
      add_time(*unit.time, record, unit.is_cold);
    } else if (!unit.failure && unit.in_place_ms) {
      record.status = "ok";
      record.runtime_ms_mean = unit.in_place_ms;
      record.cache = "hot";  // inside the running model
    } else {
      add_failure(unit.failure.value_or(Failure{FailureKind::kRunError, "no time was taken"}),
                  record);
    }
    return record;
  }

  BenchmarkRecord model(const EngineResult& engine) const {
    BenchmarkRecord record = start(engine);
    record.scope = "model";
    record.workload = profile_.model;
    record.workload_args = profile_records_text_of({{"batch_size", profile_.batch_size}});
    record.count = 1;
    if (!engine.code_hash.empty()) record.code_hash = engine.code_hash;
    record.reproducer = shell_text(profile_.argv);
    Json inputs = Json::array();
    for (const auto& [name, shape] : profile_.inputs) {
      inputs.push_back({{"name", name}, {"shape", shape}});
    }
    record.inputs = profile_records_text_of(inputs);
    add_steps(engine, record);
    // Findings are of the first engine.
    const bool has_findings = profile_.findings && &engine == profile_.engines.data();
    if (has_findings) add_to_metadata("findings", findings_json(*profile_.findings), record);
    const ModelResult& model = engine.model;
    std::map<std::string, double> metrics = profile_.metrics;
    add_compilation(engine.units, metrics);
    add_compile_reasons(engine.units, record);
    add(metrics, "sum_in_place_ms", model.sum_in_place_ms);
    add(metrics, "dispatch_ms", model.dispatch_ms);
    add(metrics, "call_overhead_ms", model.call_overhead_ms);
    if (model.inconclusive.empty()) add(metrics, "gap_percent", model.gap_percent);
    add(metrics, "profiler_slowdown_percent", model.profiler_slowdown_percent);
    add(metrics, "peak_memory_mb", model.peak_memory_mb);
    add(metrics, "peak_gflops", engine.peak_gflops);
    add(metrics, "memory_gbytes_per_s", engine.memory_gbytes_per_s);
    record.metrics = std::move(metrics);
    record.cache = "hot";  // a call of the whole model finds what the call before left
    if (model.end_to_end) {
      add(*record.metrics, "device_ms", device_ms(*model.end_to_end));
      add(*record.metrics, "copies_ms", copies_ms(*model.end_to_end));
      add(*record.metrics, "without_copies_ms", without_copies_ms(*model.end_to_end));
      add_time(*model.end_to_end, record);
      if (!model.inconclusive.empty()) add_inconclusive(model.inconclusive, record);
    } else {
      add_failure({FailureKind::kRunError, model.end_to_end_reason}, record);
    }
    return record;
  }

 private:
  static void add(std::map<std::string, double>& metrics, const char* name,
                  std::optional<double> value) {
    if (value && std::isfinite(*value)) metrics[name] = *value;
  }

  /// What the units' kernels took to compile and their code, in the words of the first
  /// benchmark format; nothing where one unit does not know.
  static void add_compilation(std::span<const UnitResult> units,
                              std::map<std::string, double>& metrics) {
    const auto sum_of = [&](const auto& member) -> std::optional<double> {
      double sum = 0;
      for (const UnitResult& unit : units) {
        if (!(unit.*member)) return {};
        sum += static_cast<double>(*(unit.*member));
      }
      return units.empty() ? std::nullopt : std::optional(sum);
    };
    add(metrics, "compile_time", sum_of(&UnitResult::compile_ms));
    add(metrics, "code_size", sum_of(&UnitResult::code_bytes));
  }

  /// The steps of one call in their order, as `workload_metadata.steps`; nothing where the engine
  /// does not tell the order. Without the nodes of the model, steps have no `needs`.
  void add_steps(const EngineResult& engine, BenchmarkRecord& record) const {
    const CallSteps call = steps_of(engine, profile_.graph);
    if (call.steps.empty() || !call.has_order) return;
    Json steps = Json::array();
    for (const CallStep& step : call.steps) {
      Json json = {{"workload", workload_name(engine.engine, *step.unit)},
                   {"nodes", step.occurrence->nodes}};
      if (step.ms > 0) json["in_place_ms"] = step.ms;
      if (call.has_needs) json["needs"] = step.needs;
      steps.push_back(std::move(json));
    }
    Json metadata = Json::parse(record.workload_metadata.value_or(JsonText{}).text);
    metadata["steps"] = std::move(steps);
    record.workload_metadata = profile_records_text_of(metadata);
  }

  static void add_compile_reasons(std::span<const UnitResult> units, BenchmarkRecord& record) {
    Json metadata = Json::parse(record.metadata.value_or(JsonText{}).text);
    for (const UnitResult& unit : units) {
      const std::string& reason = unit.no_compile_reason;
      const std::string text = reason.empty() ? "the engine does not say" : reason;
      if (!unit.compile_ms) metadata.emplace("compile_time_reason", text);
      if (!unit.code_bytes) metadata.emplace("code_size_reason", text);
    }
    record.metadata = profile_records_text_of(metadata);
  }

  BenchmarkRecord start(const EngineResult& engine) const {
    BenchmarkRecord record;
    record.timestamp = profile_.timestamp;
    record.run_id = profile_.run_id;
    record.model = profile_.model;
    record.seed = static_cast<int64_t>(profile_.seed);
    record.cache = profile_.cache;
    record.argv = profile_.argv;
    record.labels = profile_.labels;
    if (!profile_.target.empty()) record.target = profile_.target;
    if (!engine.emulator.empty()) record.emulator = engine.emulator;
    record.engine = engine.engine;
    if (!engine.version.empty()) record.engine_version = engine.version;
    Json engine_config = {{"versions", Json(engine.versions)},
                          {"call_floor_ms", engine.call_floor_ms}};
    if (!engine.device.empty()) engine_config["device"] = engine.device;
    record.engine_config = profile_records_text_of(engine_config);
    record.runtime_config = profile_records_text_of(runtime_config(engine));
    record.workload_metadata =
        profile_records_text_of({{"source", profile_.source}, {"sha256", profile_.sha256}});
    if (!engine.check.engine.empty())
      record.check = profile_records_text_of(check_of(engine.check));
    add_environment(profile_.environment, record);
    if (!engine.emulator.empty()) {
      // The machine around the emulator is not the one that the times are of.
      record.hardware = "emulated";
      record.hw_model.reset();
      record.machine_hash.reset();
    }
    return record;
  }

  Json runtime_config(const EngineResult& engine) const {
    Json config = {{"num_cpu_threads", engine.threads},
                   {"cpus", Json(engine.cpus)},
                   {"batch_size", profile_.batch_size}};
    const Json request = Json::parse(profile_.request_json, nullptr, false);
    if (request.is_object()) config["request"] = request;
    if (!profile_.machine_settings.empty()) {
      config["machine_settings"] = Json(profile_.machine_settings);
    }
    return config;
  }

  static Json check_of(const CheckResult& check) {
    Json json = {{"engine", check.engine}, {"max_relative_error", nullptr}};
    const auto error = check.max_relative_error;
    if (error && std::isfinite(*error)) json["max_relative_error"] = *error;
    json["passed"] = is_made(check) ? Json(check.passed) : Json();
    if (!check.reason.empty()) json["reason"] = check.reason;
    return json;
  }

  static void add_remark(const std::string& remark, BenchmarkRecord& record) {
    Json check = record.check ? Json::parse(record.check->text) : Json::object();
    check["remark"] = remark;
    record.check = profile_records_text_of(check);
  }

  static void add_to_metadata(const char* member, Json value, BenchmarkRecord& record) {
    Json metadata = Json::parse(record.metadata.value_or(JsonText{}).text);
    metadata[member] = std::move(value);
    record.metadata = profile_records_text_of(metadata);
  }

  void add_unit_metrics(const UnitResult& unit, BenchmarkRecord& record) const {
    std::map<std::string, double> metrics;
    if (profile_.scope == "unit") metrics = profile_.metrics;
    add_compilation(std::span(&unit, 1), metrics);
    add(metrics, "flops", unit.flops);
    add(metrics, "bytes", unit.bytes);
    add(metrics, "gflops_per_s", unit.gflops_per_s);
    add(metrics, "percent_of_peak", unit.percent_of_peak);
    add(metrics, "gbytes_per_s", unit.gbytes_per_s);
    add(metrics, "total_ms", unit.total_ms);
    if (unit.time) add(metrics, "device_ms", device_ms(*unit.time));
    add(metrics, "share", unit.share);
    // Absent in the usual case, where each unit has weights of its own.
    if (unit.weight_sets && *unit.weight_sets < unit.count) {
      metrics["weight_sets"] = static_cast<double>(*unit.weight_sets);
    }
    record.metrics = std::move(metrics);
  }

  static Json json_of(const Sample& sample) {
    Json json = {{"runtime_ms", s_to_ms(sample.wall_s)}, {"process", sample.process}};
    if (sample.cpu_s > 0) json["cpu_ms"] = s_to_ms(sample.cpu_s);
    if (sample.involuntary_switches > 0) {
      json["involuntary_switches"] = sample.involuntary_switches;
    }
    if (sample.clock != TimeClock::kWall) json["clock"] = name_of(sample.clock);
    if (sample.device_s) json["device_ms"] = s_to_ms(*sample.device_s);
    if (sample.copies_s) json["copies_ms"] = s_to_ms(*sample.copies_s);
    if (sample.waited_s) json["waited_ms"] = s_to_ms(*sample.waited_s);
    if (sample.minor_faults > 0) json["minor_faults"] = sample.minor_faults;
    if (sample.cpu >= 0) json["cpu"] = sample.cpu;
    if (!sample.flag.empty()) json["flag"] = sample.flag;
    return json;
  }

  static void add_time(const Measurement& time, BenchmarkRecord& record,
                       std::optional<bool> is_cold = {}) {
    record.status = "ok";
    Json all = Json::array();
    std::vector<double> counted;
    int last_process = -1;
    for (const Sample& sample : time.samples) {
      all.push_back(json_of(sample));
      last_process = std::max(last_process, sample.process);
    }
    for (int process = 0; process <= last_process; ++process) {
      for (const double wall_s : usable_times(time.samples, process).wall_s) {
        counted.push_back(s_to_ms(wall_s));
      }
    }
    record.runtime_ms_mean = time.mean_ms;
    if (counted.size() > 1) record.runtime_ms_std = time.std_ms;
    record.std_ddof = 1;
    if (!counted.empty()) {
      record.n_samples = static_cast<int64_t>(counted.size());
      Json config = {{"number", time.number},
                     {"repeat", counted.size()},
                     {"trimmed", false},
                     {"effective_n", time.effective_n},
                     {"timer", name_of(time.clock)}};
      if (is_cold) config["cold"] = *is_cold;
      record.execution_config = profile_records_text_of(config);
      record.runtime_raw_ms = std::move(counted);
      record.runtime_raw = profile_records_text_of(all);
    }
    record.runtime_ms_median = time.median_ms;
    if (const std::optional<Interval> interval = interval_of(time)) {
      record.runtime_ms_low = interval->low;
      record.runtime_ms_high = interval->high;
    }
    record.runtime_ms_min = time.min_ms;
    record.samples_dropped = time.dropped;
    record.stop_reason = time.stop_reason;
    record.steady = time.steady;
    if (time.processes > 0) record.processes = time.processes;
  }

  // An inconclusive gap is left out; the reason is kept.
  static void add_inconclusive(const std::string& reason, BenchmarkRecord& record) {
    Json config = record.execution_config ? Json::parse(record.execution_config->text) : Json();
    config["books_inconclusive"] = reason;
    record.execution_config = profile_records_text_of(config);
  }

  static void add_failure(const Failure& failure, BenchmarkRecord& record) {
    record.status = "error";
    record.error_no = error_number(failure.kind);
    record.error_message = to_text(failure);
  }

  const ProfileResult& profile_;
};

bool is_cancelled(const std::optional<Failure>& failure) {
  return failure && failure->kind == FailureKind::kCancelled;
}

/// The run was interrupted before the model had a time.
bool is_cancelled(const EngineResult& engine) {
  if (engine.model.end_to_end) return false;
  const bool has_cancelled_unit = std::ranges::any_of(
      engine.units, [](const UnitResult& unit) { return is_cancelled(unit.failure); });
  return is_cancelled(engine.model.failure) || (!engine.model.failure && has_cancelled_unit);
}

}  // namespace

Result<std::vector<BenchmarkRecord>> records_of(const ProfileResult& profile) {
  if (profile.environment == Environment()) {
    return Error{ErrorCode::kInvalidInput, "the environment of the run was not captured"};
  }
  const RunWriter writer(profile);
  std::vector<BenchmarkRecord> records;
  for (const EngineResult& engine : profile.engines) {
    // An engine that tells no units has the time of a workload as a whole.
    const bool has_model = profile.scope != "unit" || engine.units.empty();
    if (has_model && !is_cancelled(engine)) records.push_back(writer.model(engine));
    for (const UnitResult& unit : engine.units) {
      if (!is_cancelled(unit.failure)) records.push_back(writer.unit(engine, unit));
    }
  }
  assign_record_ids(records);
  return records;
}

std::string to_lines(const std::vector<BenchmarkRecord>& records) {
  std::string lines;
  for (const BenchmarkRecord& record : records) lines += to_line(record);
  return lines;
}

std::string workload_name(std::string_view engine, const UnitResult& unit) {
  const std::string workload = workload_text(unit.identity);
  if (!workload.empty()) return "opbench." + workload;
  std::string name = std::string(engine) + "." + unit.identity.operator_text;
  const std::string shapes = short_shapes(unit.identity);
  if (!shapes.empty()) name += " " + shapes;
  return name;
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

}  // namespace opbench
