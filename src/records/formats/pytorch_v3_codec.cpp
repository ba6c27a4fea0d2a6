#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors/failure.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"
#include "records/json/odd_number.h"
#include "records/record/benchmark_times.h"
#include "records/record/error_number.h"

namespace opbench {
namespace {

struct PytorchUnit {
  std::string_view word;
  double ms = 0;
};
constexpr std::array<PytorchUnit, 8> kPytorchUnits = {{{"ns", 1e-6},
                                                       {"us", 1e-3},
                                                       {"ms", 1.0},
                                                       {"s", 1e3},
                                                       {"sec", 1e3},
                                                       {"seconds", 1e3},
                                                       {"milliseconds", 1.0},
                                                       {"microseconds", 1e-3}}};

std::optional<double> pytorch_unit_ms(std::string_view word) {
  for (const PytorchUnit& each : kPytorchUnits) {
    if (each.word == word) return each.ms;
  }
  return {};
}

/// Milliseconds of one unit of a metric of time: by its member `unit`, else by the end of its name,
/// `latency_ms`, `latency (us)`, `time ms`. Nothing where neither is a unit of time.
std::optional<double> unit_of_metric(const Json& metric, const std::string& name) {
  if (const auto unit = text_member(metric, "unit")) return pytorch_unit_ms(*unit);
  std::string_view rest = name;
  if (rest.ends_with(')')) {
    const size_t open = rest.rfind('(');
    if (open == std::string_view::npos) return {};
    return pytorch_unit_ms(rest.substr(open + 1, rest.size() - open - 2));
  }
  const size_t at = rest.find_last_of("_ ");
  return at == std::string_view::npos ? std::nullopt : pytorch_unit_ms(rest.substr(at + 1));
}

/// A list of `{"benchmark": {name, mode, dtype, extra_info}, "model": {name, type, backend,
/// origins}, "metric": {name, benchmark_values}, "runners", "dependencies", "inputs"}`: metrics of
/// one benchmark, model and place are one record.
class PytorchReader : public ImportReader {
 public:
  PytorchReader(JsonValues values, const std::string& path)
      : ImportReader(std::move(values), path) {
    accept_python_numbers();
  }

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    const Json benchmark = member(value, "benchmark");
    const Json metric = member(value, "metric");
    const auto benchmark_name = text_member(benchmark, "name");
    const auto metric_name = text_member(metric, "name");
    if (!benchmark_name || !metric_name) {
      issues.push_back({"E_MISSING", benchmark_name ? "metric" : "benchmark", "it has no name"});
      return;
    }
    const Json values = member(metric, "benchmark_values");
    if (!values.is_array()) {
      issues.push_back({"E_TYPE", "metric",
                        "benchmark_values of \"" + metric_name->substr(0, 80) + "\" is no list"});
      return;
    }
    for (const Json& each : values) {
      if (number_or_word(each)) continue;
      issues.push_back({"E_TYPE", "metric", "benchmark_values holds " + each.dump().substr(0, 40)});
      return;
    }
    Json key = Json::object();
    for (const char* part :
         {"benchmark", "model", "runners", "dependencies", "inputs", "timestamp", "head_sha"}) {
      key[part] = member(value, part);
    }
    const std::string key_text = canonical_text(key);
    const bool is_new = !has_group(key_text);
    Group& group = this->group(key_text, slice.line);
    if (is_new) start(value, *benchmark_name, group);
    take_metric(*metric_name, metric, values, group);
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    if (record.timestamp.empty()) assume_timestamp(record);
    if (record.hardware.empty()) assume_hardware(record);
    const bool has_time = record.runtime_ms_mean || !group.times_ms.empty();
    if (!has_time && record.status.empty()) {
      std::string names;
      for (const auto& [name, values] : group.values) names += (names.empty() ? "" : ", ") + name;
      group.issues.push_back({"E_MISSING", "metric",
                              "no metric is a time with a unit, such as latency_ms; there is: " +
                                  names.substr(0, 200)});
    }
    const auto median = record.runtime_ms_median;
    set_result(group);
    if (median && record.status == "ok") record.runtime_ms_median = median;
  }

 private:
  void start(const Json& value, const std::string& name, Group& group) {
    BenchmarkRecord& record = group.record;
    const Json benchmark = member(value, "benchmark");
    const Json model = member(value, "model");
    record.source_form = "pytorch-v3";
    add_place(value, record);
    if (name == "OpBench" && take_own(benchmark, model, record)) return;
    const auto model_name = text_member(model, "name");
    record.workload = without_controls("pytorch." + name + (model_name ? " " + *model_name : ""));
    record.engine = "pytorch";
    record.scope = model_name ? "model" : "unit";
    record.model = model_name;
    Json arguments = Json::object();
    for (const char* key : {"mode", "dtype"}) {
      if (const auto text = text_member(benchmark, key)) arguments[key] = *text;
    }
    const Json inputs = member(value, "inputs");
    if (inputs.is_object() && !inputs.empty()) arguments["inputs"] = inputs;
    if (!arguments.empty()) record.workload_args = JsonText{canonical_text(arguments)};
    Json config = Json::object();
    for (const char* key : {"backend", "type"}) {
      if (const auto text = text_member(model, key)) config[key] = *text;
    }
    if (!config.empty()) record.engine_config = JsonText{canonical_text(config)};
    const Json extra = member(benchmark, "extra_info");
    if (extra.is_object() && !extra.empty()) {
      record.metadata = JsonText{canonical_text(Json::object({{"extra_info", extra}}))};
    }
  }

  static void add_place(const Json& value, BenchmarkRecord& record) {
    const Json runners = member(value, "runners");
    if (runners.is_array() && !runners.empty()) {
      if (const auto name = text_member(runners[0], "name")) record.hardware = *name;
      record.hw_model = text_member(runners[0], "cpu_info");
      if (record.hardware.empty() && record.hw_model) record.hardware = *record.hw_model;
      record.hardware_config = JsonText{canonical_text(Json::object({{"runners", runners}}))};
    }
    Json software = Json::object();
    const Json dependencies = member(value, "dependencies");
    if (dependencies.is_object() && !dependencies.empty()) software["dependencies"] = dependencies;
    if (!software.empty()) record.software_config = JsonText{canonical_text(software)};
    const Json time = member(value, "timestamp");
    std::vector<RecordIssue> found;
    const auto moment =
        time.is_null() ? std::nullopt
                       : parse_timestamp(time.is_string() ? time.get<std::string>() : time.dump(),
                                         now_us(), found);
    if (moment && *moment >= 0) record.timestamp = rfc3339_of_us(*moment);
    const Json sha = member(value, "head_sha");
    if (sha.is_string()) {
      record.labels = std::map<std::string, std::string>{{"commit", sha.get<std::string>()}};
    }
  }

  /// What `opbench export pytorch-v3` writes beside the numbers: all of it text.
  static bool take_own(const Json& benchmark, const Json& model, BenchmarkRecord& record) {
    const Json extra = member(benchmark, "extra_info");
    const auto workload = text_member(extra, "workload");
    const auto scope = text_member(extra, "scope");
    const auto engine = text_member(model, "backend");
    if (!workload || !engine || (scope != "unit" && scope != "model")) return false;
    record.workload = without_controls(*workload);
    record.engine = *engine;
    record.scope = *scope;
    record.model = text_member(model, "name");
    record.engine_version = text_member(extra, "engine_version");
    record.run_id = text_member(extra, "run_id");
    record.cache = text_member(extra, "cache");
    record.reproducer = text_member(extra, "reproducer");
    record.target = text_member(extra, "target");
    record.runtime_ms_low = number_in(extra, "low_ms");
    record.runtime_ms_high = number_in(extra, "high_ms");
    record.runtime_ms_in_place = number_in(extra, "in_place_ms");
    if (const auto count = number_in(extra, "count")) record.count = static_cast<int64_t>(*count);
    Json arguments = json_in(extra, "workload_args");
    if (arguments.is_object()) record.workload_args = JsonText{canonical_text(arguments)};
    const Json nodes = json_in(extra, "nodes");
    if (nodes.is_array()) {
      record.nodes.emplace();
      for (const Json& node : nodes) {
        if (node.is_string()) record.nodes->push_back(node.get<std::string>());
      }
    }
    if (const auto threads = number_in(extra, "threads"); threads && *threads >= 1) {
      record.runtime_config = JsonText{
          canonical_text(Json::object({{"num_cpu_threads", static_cast<int64_t>(*threads)}}))};
    }
    if (const auto schedule = text_member(extra, "schedule")) {
      record.compilation_config = JsonText{canonical_text(Json::object({{"schedule", *schedule}}))};
    }
    if (const auto failure = text_member(extra, "failure")) {
      record.status = "error";
      record.error_no = error_number(
          parse_failure_kind(text_member(extra, "failure_kind").value_or("run_error")));
      record.error_message = *failure;
      record.runtime_ms_low.reset();
      record.runtime_ms_high.reset();
      record.runtime_ms_in_place.reset();
    }
    return true;
  }

  static Json json_in(const Json& extra, const char* key) {
    const auto text = text_member(extra, key);
    return text ? Json::parse(*text, nullptr, false) : Json();
  }

  static std::optional<double> number_in(const Json& extra, const char* key) {
    const Json value = json_in(extra, key);
    constexpr double kMost = 1e18;
    const bool is_usable = value.is_number() && std::abs(value.get<double>()) < kMost;
    return is_usable ? std::optional(value.get<double>()) : std::nullopt;
  }

  static void take_metric(const std::string& name, const Json& metric, const Json& values,
                          Group& group) {
    const auto unit = unit_of_metric(metric, name);
    BenchmarkRecord& record = group.record;
    const bool is_first = group.times_ms.empty() && !record.runtime_ms_mean;
    const bool is_median = text_member(member(metric, "extra_info"), "values") == "median";
    if (unit && is_first && is_median && values.size() == 1) {
      const double ms = number_or_word(values[0]).value_or(0) * *unit;
      if (std::isfinite(ms) && ms > 0) record.runtime_ms_mean = record.runtime_ms_median = ms;
      return;
    }
    if (unit && is_first && !values.empty()) {
      for (const Json& value : values) {
        const double ms = number_or_word(value).value_or(0) * *unit;
        if (std::isfinite(ms)) add_time(group, ms);
      }
      const Json estimate = member(member(metric, "extra_info"), "median_ms");
      const Json median = estimate.is_string()
                              ? Json::parse(estimate.get<std::string>(), nullptr, false)
                              : estimate;
      if (median.is_number() && median.get<double>() > 0) {
        record.runtime_ms_median = median.get<double>();
      }
      return;
    }
    for (const Json& value : values) {
      const auto number = number_or_word(value);
      if (number && std::isfinite(*number)) group.values[name].push_back(*number);
    }
  }
};

bool recognises_pytorch_v3(const FileHead& head) {
  return std::ranges::any_of(objects_of(head.bytes), [](const ObjectKeys& one) {
    return one.has("benchmark") && one.has("metric");
  });
}

Result<std::unique_ptr<RecordReader>> open_pytorch_v3(const std::string& path) {
  return open_import<PytorchReader>(path, false);
}

}  // namespace

CodecDef pytorch_v3_codec() {
  return {.name = "pytorch-v3",
          .summary =
              "PyTorch's benchmark database, version 3; only read (`opbench export "
              "pytorch-v3` writes)",
          .recognises = recognises_pytorch_v3,
          .open = open_pytorch_v3};
}

}  // namespace opbench
