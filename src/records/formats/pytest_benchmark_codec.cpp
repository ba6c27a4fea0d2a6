#include <nlohmann/json.hpp>

#include "base/system/seconds.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"
#include "records/json/odd_number.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

/// `{"machine_info", "commit_info", "benchmarks": [{"fullname", "params", "stats"}], "datetime"}`,
/// in seconds.
class PytestBenchmarkReader : public ImportReader {
 public:
  PytestBenchmarkReader(JsonValues values, const std::string& path)
      : ImportReader(std::move(values), path) {
    accept_python_numbers();
  }

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    if (slice.key == "machine_info") machine_ = value;
    if (slice.key == "commit_info") commit_ = value;
    if (slice.key == "datetime" && value.is_string()) moment_ = value.get<std::string>();
    if (slice.key != "benchmarks") return;
    auto name = text_member(value, "fullname");
    if (!name) name = text_member(value, "name");
    if (!name) {
      issues.push_back({"E_MISSING", "fullname", "a benchmark has no name"});
      return;
    }
    const Json stats = member(value, "stats");
    if (!stats.is_object()) {
      issues.push_back({"E_TYPE", "stats", "\"" + name->substr(0, 80) + "\" has no statistics"});
      return;
    }
    Group& group = this->group(std::to_string(++count_), slice.line);
    start(*name, value, group.record);
    add_stats(stats, group);
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    add_machine(record);
    std::vector<RecordIssue> found;
    const auto moment = parse_timestamp(moment_, now_us(), found);
    if (!moment_.empty() && moment && *moment >= 0) {
      record.timestamp = rfc3339_of_us(*moment);
      if (!found.empty()) {
        warn_of_file("W_TZ_ASSUMED", "timestamp", "datetime names no zone; taken as UTC");
      }
    } else {
      assume_timestamp(record);
    }
    const auto rounds = record.n_samples;
    set_result(group);
    if (record.status == "ok" && group.times_ms.empty()) record.n_samples = rounds;
    if (record.status != "ok") drop_times(record);
  }

 private:
  static void start(const std::string& name, const Json& value, BenchmarkRecord& record) {
    record.workload = "pytest-benchmark." + without_controls(name);
    record.engine = "pytest-benchmark";
    record.scope = "unit";
    record.source_form = "pytest-benchmark";
    const Json params = member(value, "params");
    if (params.is_object()) record.workload_args = JsonText{canonical_text(params)};
    Json metadata = Json::object();
    for (const char* key : {"extra_info", "options"}) {
      const Json part = member(value, key);
      if (part.is_object() && !part.empty()) metadata[key] = part;
    }
    if (!metadata.empty()) record.metadata = JsonText{canonical_text(metadata)};
    if (const auto group = text_member(value, "group")) {
      record.labels = std::map<std::string, std::string>{{"group", *group}};
    }
  }

  static std::optional<double> ms_of(const Json& stats, const char* key) {
    const auto seconds = number_member(stats, key);
    return seconds && *seconds >= 0 ? std::optional(s_to_ms(*seconds)) : std::nullopt;
  }

  static void add_stats(const Json& stats, Group& group) {
    BenchmarkRecord& record = group.record;
    for (const Json& time : member(stats, "data")) {
      const auto seconds = number_or_word(time);
      if (seconds) add_time(group, s_to_ms(*seconds));
    }
    if (const auto calls = whole_number(member(stats, "iterations")); calls && *calls >= 1) {
      record.execution_config = JsonText{canonical_text(Json::object({{"number", *calls}}))};
    }
    for (const char* key : {"q1", "q3", "max"}) {
      if (const auto ms = ms_of(stats, key)) group.values[std::string(key) + "_ms"] = {*ms};
    }
    if (!group.times_ms.empty()) return;
    record.runtime_ms_mean = ms_of(stats, "mean");
    record.runtime_ms_median = ms_of(stats, "median");
    record.runtime_ms_min = ms_of(stats, "min");
    record.runtime_ms_std = ms_of(stats, "stddev");
    if (record.runtime_ms_std) record.std_ddof = 1;
    if (const auto rounds = whole_number(member(stats, "rounds")); rounds && *rounds >= 1) {
      record.n_samples = rounds;
    }
    const bool is_usable = record.runtime_ms_mean && *record.runtime_ms_mean > 0;
    if (!is_usable) record.runtime_ms_mean.reset();
  }

  static void drop_times(BenchmarkRecord& record) {
    for (auto* time : {&record.runtime_ms_mean, &record.runtime_ms_median, &record.runtime_ms_min,
                       &record.runtime_ms_std}) {
      time->reset();
    }
    record.std_ddof.reset();
    record.n_samples.reset();
  }

  void add_machine(BenchmarkRecord& record) {
    if (const auto node = text_member(machine_, "node")) {
      record.hardware = *node;
    } else {
      assume_hardware(record);
    }
    const Json cpu = member(machine_, "cpu");
    for (const char* key : {"brand_raw", "brand"}) {
      if (!record.hw_model) record.hw_model = text_member(cpu, key);
    }
    if (const auto count = whole_number(member(cpu, "count"))) {
      record.hardware_config = JsonText{canonical_text(Json::object({{"cpu_count", *count}}))};
    }
    Json software = Json::object();
    const auto system = text_member(machine_, "system");
    const auto release = text_member(machine_, "release");
    if (system) software["os"] = *system + (release ? " " + *release : "");
    for (const char* key : {"python_implementation", "python_version"}) {
      if (const auto text = text_member(machine_, key)) software[key] = *text;
    }
    if (!software.empty()) record.software_config = JsonText{canonical_text(software)};
    for (const char* key : {"id", "branch", "project"}) {
      const auto text = text_member(commit_, key);
      if (!text) continue;
      if (!record.labels) record.labels.emplace();
      (*record.labels)[key == std::string("id") ? "commit" : key] = *text;
    }
  }

  int64_t count_ = 0;
  Json machine_, commit_;
  std::string moment_;
};

bool recognises_pytest_benchmark(const FileHead& head) {
  const std::vector<ObjectKeys> objects = objects_of(head.bytes);
  return !objects.empty() && objects.front().has("machine_info") && !objects.front().has("context");
}

}  // namespace

CodecDef pytest_benchmark_codec() {
  return {.name = "pytest-benchmark",
          .summary = "pytest-benchmark's --benchmark-json; only read",
          .recognises = recognises_pytest_benchmark,
          .open = open_import<PytestBenchmarkReader>};
}

}  // namespace opbench
