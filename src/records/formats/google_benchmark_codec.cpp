#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <string_view>

#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

/// Milliseconds of one unit; nothing for an unknown one.
std::optional<double> unit_ms(std::string_view unit) {
  if (unit == "ns") return 1e-6;
  if (unit == "us") return 1e-3;
  if (unit == "ms") return 1.0;
  if (unit == "s") return 1e3;
  return {};
}

/// Fields of a row that are no counters of the benchmark's own.
bool is_own_field(std::string_view key) {
  constexpr std::array kFields = {"name",          "family_index",     "per_family_instance_index",
                                  "run_name",      "run_type",         "repetitions",
                                  "threads",       "repetition_index", "iterations",
                                  "real_time",     "cpu_time",         "time_unit",
                                  "label",         "error_occurred",   "error_message",
                                  "skipped",       "skip_message",     "aggregate_name",
                                  "aggregate_unit"};
  return std::ranges::find(kFields, key) != kFields.end();
}

/// `{"context": {…}, "benchmarks": [rows]}`: repetitions of a run and their aggregates are rows.
class GoogleBenchmarkReader : public ImportReader {
 public:
  using ImportReader::ImportReader;

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    if (slice.key == "context") context_ = value;
    if (slice.key != "benchmarks") return;
    auto name = text_member(value, "run_name");
    if (!name) name = text_member(value, "name");
    const std::string type = text_member(value, "run_type").value_or("iteration");
    if (!name) {
      issues.push_back({"E_MISSING", "name", "a row has no name"});
      return;
    }
    const std::string aggregate = text_member(value, "aggregate_name").value_or("");
    if (aggregate == "BigO" || aggregate == "RMS") return;  // of a family, not of a run
    const auto unit = unit_ms(text_member(value, "time_unit").value_or("ns"));
    if (!unit) {
      issues.push_back(
          {"E_TYPE", "time_unit", "no unit of time: " + member(value, "time_unit").dump()});
      return;
    }
    Group& group = this->group(*name, slice.line);
    start(*name, value, group);
    if (type == "aggregate") {
      take_aggregate(aggregate, value, *unit, group.record);
    } else {
      take_repetition(value, *unit, group);
    }
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    add_context(record);
    // Aggregates are of the same repetitions; where those are there, they count.
    if (!group.times_ms.empty()) {
      record.runtime_ms_mean.reset();
    } else if (!record.runtime_ms_mean && record.status.empty()) {
      group.issues.push_back({"E_MISSING", "real_time", "the run has no mean"});
    }
    set_result(group);
  }

 private:
  static void start(const std::string& name, const Json& row, Group& group) {
    BenchmarkRecord& record = group.record;
    record.workload = name;
    record.engine = "google-benchmark";
    record.scope = "unit";
    record.source_form = "google-benchmark";
    if (const auto threads = number_member(row, "threads")) {
      record.runtime_config =
          JsonText{canonical_text(Json::object({{"num_cpu_threads", *threads}}))};
      if (*threads >= 1 && *threads < std::numeric_limits<int>::max()) {
        record.runtime_config->text =
            canonical_text(Json::object({{"num_cpu_threads", static_cast<int>(*threads)}}));
      }
    }
    Json execution = Json::object();
    const Json number = member(row, "iterations");
    const Json repeat = member(row, "repetitions");
    const bool is_row = text_member(row, "run_type").value_or("iteration") == "iteration";
    if (is_row) add_count("number", number, execution);
    add_count("repeat", repeat, execution);
    if (!record.execution_config && !execution.empty()) {
      record.execution_config = JsonText{canonical_text(execution)};
    }
    if (const auto label = text_member(row, "label")) {
      record.labels = std::map<std::string, std::string>{{"label", *label}};
    }
  }

  /// A count beyond 64 bits stays as it is: validation refuses its record.
  static void add_count(const char* key, const Json& count, Json& execution) {
    const auto whole = whole_number(count);
    if (whole && *whole >= 1) execution[key] = *whole;
    if (!whole && count.is_number_integer()) execution[key] = count;
  }

  static void take_repetition(const Json& row, double unit, Group& group) {
    const bool has_failed = member(row, "error_occurred") == true || member(row, "skipped") == true;
    if (has_failed) {
      group.record.status = "error";
      group.record.error_no = 4;
      auto message = text_member(row, "error_message");
      if (!message) message = text_member(row, "skip_message");
      group.record.error_message = message.value_or("skipped without a message");
      return;
    }
    if (const auto time = number_member(row, "real_time")) add_time(group, *time * unit);
    if (const auto time = number_member(row, "cpu_time")) {
      group.values["cpu_time_ms"].push_back(*time * unit);
    }
    constexpr size_t kMostCounters = 1000;
    for (const auto& [key, value] : row.items()) {
      if (is_own_field(key) || !number_member(row, key)) continue;
      if (group.values.size() < kMostCounters) {
        group.values[key].push_back(value.get<double>());
      }
    }
  }

  static void take_aggregate(const std::string& aggregate, const Json& row, double unit,
                             BenchmarkRecord& record) {
    const auto time = number_member(row, "real_time");
    if (!time) return;
    if (aggregate == "mean") record.runtime_ms_mean = *time * unit;
    if (aggregate == "median") record.runtime_ms_median = *time * unit;
    if (aggregate != "stddev") return;
    record.runtime_ms_std = *time * unit;
    record.std_ddof = 1;
  }

  void add_context(BenchmarkRecord& record) {
    const auto executable = text_member(context_, "executable");
    if (executable) {
      record.workload =
          std::filesystem::path(*executable).filename().string() + "." + record.workload;
    }
    std::vector<RecordIssue> found;
    const auto date = text_member(context_, "date");
    const auto moment = date ? parse_timestamp(*date, now_us(), found) : std::nullopt;
    if (moment && *moment >= 0) {
      record.timestamp = rfc3339_of_us(*moment);
    } else {
      assume_timestamp(record);
    }
    const auto host = text_member(context_, "host_name");
    if (host) {
      record.hardware = *host;
    } else {
      assume_hardware(record);
    }
    if (auto version = text_member(context_, "library_version")) {
      if (version->starts_with('v')) version->erase(0, 1);
      record.engine_version = *version;
    }
    Json hardware = Json::object();
    Json metadata = Json::object();
    if (context_.is_object()) {
      for (const auto& [key, value] : context_.items()) {
        if (key == "num_cpus") {
          hardware["cpu_count"] = value;
        } else if (key == "mhz_per_cpu" || key == "caches" || key == "cpu_scaling_enabled" ||
                   key == "aslr_enabled") {
          hardware[key] = value;
        } else if (key != "date" && key != "host_name" && key != "library_version") {
          metadata[key] = value;
        }
      }
    }
    if (!hardware.empty()) record.hardware_config = JsonText{canonical_text(hardware)};
    if (!metadata.empty()) record.metadata = JsonText{canonical_text(metadata)};
  }

  Json context_;
};

bool recognises_google_benchmark(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kGoogleBenchmark;
}

}  // namespace

CodecDef google_benchmark_codec() {
  return {.name = "google-benchmark",
          .summary = "Google Benchmark's --benchmark_out in JSON; only read",
          .recognises = recognises_google_benchmark,
          .open = open_import<GoogleBenchmarkReader>};
}

}  // namespace opbench
