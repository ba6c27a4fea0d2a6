#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "base/errors/failure.h"
#include "base/errors/suggestion.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"
#include "records/json/odd_number.h"
#include "records/json/utf8_text.h"
#include "records/record/benchmark_times.h"
#include "records/record/error_number.h"

namespace opbench {
namespace {

/// What a status of theirs means here.
struct FlashinferStatus {
  std::string_view word;
  FailureKind kind = FailureKind::kRunError;
};
constexpr FlashinferStatus kFlashinferFailures[] = {
    {"INCORRECT_SHAPE", FailureKind::kWrongResult},
    {"INCORRECT_NUMERICAL", FailureKind::kWrongResult},
    {"INCORRECT_DTYPE", FailureKind::kWrongResult},
    {"RUNTIME_ERROR", FailureKind::kRunError},
    {"COMPILE_ERROR", FailureKind::kBuildError},
    {"TIMEOUT", FailureKind::kRunTimeout}};

/// The kind that a log of ours begins with: `build_timeout: no answer`.
std::optional<FailureKind> kind_in_log(const std::string& log) {
  const std::string word = log.substr(0, log.find(':'));
  const FailureKind kind = parse_failure_kind(word);
  return word == name_of(kind) ? std::optional(kind) : std::nullopt;
}

/// `{"definition", "workload": {"axes", "inputs"}, "solution", "evaluation": {"status",
/// "correctness", "performance", "environment", "timestamp", "log"}}`, one a line.
class FlashinferReader : public ImportReader {
 public:
  FlashinferReader(JsonValues values, const std::string& path)
      : ImportReader(std::move(values), path) {
    accept_python_numbers();
  }

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    const auto definition = text_member(value, "definition");
    if (!definition) {
      issues.push_back({"E_MISSING", "definition", "a trace names no definition"});
      return;
    }
    const Json evaluation = member(value, "evaluation");
    if (evaluation.is_null()) {
      warn_of_file("W_NO_RESULT", "evaluation",
                   "workloads that nothing was evaluated on are passed over");
      return;
    }
    const auto status = text_member(evaluation, "status");
    if (!status) {
      issues.push_back({"E_MISSING", "evaluation", "it has no status"});
      return;
    }
    const auto failure = std::ranges::find(kFlashinferFailures, *status, &FlashinferStatus::word);
    const bool has_failed = failure != std::end(kFlashinferFailures);
    if (!has_failed && *status != "PASSED") {
      issues.push_back(unknown_status(*status));
      return;
    }
    Group& group = this->group(std::to_string(++count_), slice.line);
    start(value, *definition, evaluation, group);
    if (has_failed) {
      add_failure(*status, failure->kind, text_member(evaluation, "log").value_or(""),
                  group.record);
    } else {
      add_performance(evaluation, group);
    }
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    if (record.timestamp.empty()) assume_timestamp(record);
    if (record.hardware.empty()) assume_hardware(record);
    const auto median = record.runtime_ms_median;
    set_result(group);
    if (median && record.status == "ok") record.runtime_ms_median = median;
  }

 private:
  static RecordIssue unknown_status(const std::string& status) {
    std::vector<std::string> known = {"PASSED"};
    for (const FlashinferStatus& each : kFlashinferFailures) known.emplace_back(each.word);
    return {"E_STATUS", "evaluation",
            "unknown status \"" + status.substr(0, 40) + "\"; known: " + join(known)};
  }

  void start(const Json& trace, const std::string& definition, const Json& evaluation,
             Group& group) {
    BenchmarkRecord& record = group.record;
    record.scope = "unit";
    record.source_form = "flashinfer";
    const auto solution = text_member(trace, "solution");
    const Json environment = member(evaluation, "environment");
    const bool is_own = solution && take_own_solution(*solution, record);
    record.workload = without_controls((is_own ? "opbench." : "flashinfer.") + definition);
    const Json workload = member(trace, "workload");
    Json arguments = Json::object();
    if (is_own) arguments["workload"] = definition;
    for (const char* key : {"axes", "inputs", "uuid"}) {
      const Json part = member(workload, key);
      if (!part.is_null()) arguments[key] = part;
    }
    record.workload_args = JsonText{canonical_text(arguments)};
    if (!is_own) {
      record.engine = "flashinfer-bench";
      if (solution) record.labels = std::map<std::string, std::string>{{"solution", *solution}};
    }
    if (const auto hardware = text_member(environment, "hardware")) record.hardware = *hardware;
    const Json libs = member(environment, "libs");
    if (libs.is_object() && !libs.empty()) {
      record.software_config = JsonText{canonical_text(Json::object({{"libs", libs}}))};
      if (is_own) record.engine_version = text_member(libs, record.engine);
    }
    std::vector<RecordIssue> found;
    const auto time = text_member(evaluation, "timestamp");
    const auto moment = time ? parse_timestamp(*time, now_us(), found) : std::nullopt;
    if (moment && *moment >= 0) record.timestamp = rfc3339_of_us(*moment);
    if (moment && !found.empty() && found.front().code.starts_with("W_")) {
      warn_of_file(found.front().code.c_str(), "timestamp", found.front().message);
    }
    const Json correctness = member(evaluation, "correctness");
    const auto error = number_or_word(member(correctness, "max_relative_error"));
    const bool has_passed = text_member(evaluation, "status") == "PASSED";
    Json check = {{"engine", is_own ? "reference" : "definition"},
                  {"max_relative_error", nullptr},
                  {"passed", has_passed}};
    if (error && std::isfinite(*error)) check["max_relative_error"] = *error;
    const Json extra = member(correctness, "extra");
    if (is_own) {
      const auto by = text_member(extra, "checked_by");
      if (by) check["engine"] = *by;
      if (by) record.check = JsonText{canonical_text(check)};
      take_own_extra(extra, record, group);
    } else if (!correctness.is_null()) {
      record.check = JsonText{canonical_text(check)};
    }
    const auto absolute = number_or_word(member(correctness, "max_absolute_error"));
    if (!is_own && absolute && std::isfinite(*absolute)) {
      group.values["max_absolute_error"] = {*absolute};
    }
  }

  /// `opbench/ENGINE/THREADS/SCHEDULE`, as `opbench export flashinfer` writes it.
  static bool take_own_solution(const std::string& solution, BenchmarkRecord& record) {
    constexpr std::string_view kOwn = "opbench/";
    if (!solution.starts_with(kOwn)) return false;
    const size_t threads = solution.find('/', kOwn.size());
    const size_t schedule =
        threads == std::string::npos ? threads : solution.find('/', threads + 1);
    if (schedule == std::string::npos) return false;
    const Json count =
        Json::parse(solution.substr(threads + 1, schedule - threads - 1), nullptr, false);
    const auto whole = whole_number(count);
    if (!whole || *whole < 1) return false;
    record.engine = solution.substr(kOwn.size(), threads - kOwn.size());
    record.runtime_config = JsonText{canonical_text(Json::object({{"num_cpu_threads", *whole}}))};
    const std::string name = solution.substr(schedule + 1);
    if (!name.empty()) {
      record.compilation_config = JsonText{canonical_text(Json::object({{"schedule", name}}))};
    }
    return true;
  }

  static void take_own_extra(const Json& extra, BenchmarkRecord& record, Group& group) {
    record.runtime_ms_low = number_member(extra, "low_ms");
    record.runtime_ms_high = number_member(extra, "high_ms");
    record.runtime_ms_in_place = number_member(extra, "in_place_ms");
    record.model = text_member(extra, "model");
    record.run_id = text_member(extra, "run_id");
    record.cache = text_member(extra, "cache");
    if (const auto count = whole_number(member(extra, "count"))) record.count = *count;
    const Json nodes = member(extra, "nodes");
    if (nodes.is_array()) {
      record.nodes.emplace();
      for (const Json& node : nodes) {
        if (node.is_string()) record.nodes->push_back(node.get<std::string>());
      }
    }
    for (const Json& sample : member(extra, "samples_ms")) {
      if (sample.is_number()) add_time(group, sample.get<double>());
    }
  }

  static void add_performance(const Json& evaluation, Group& group) {
    BenchmarkRecord& record = group.record;
    const Json performance = member(evaluation, "performance");
    const auto latency = number_or_word(member(performance, "latency_ms"));
    if (!latency || !std::isfinite(*latency) || *latency <= 0) {
      record.status = "error";
      record.error_no = 8;
      record.error_message = "it PASSED without a latency above zero";
      return;
    }
    record.runtime_ms_mean = *latency;
    if (record.engine != "flashinfer-bench") record.runtime_ms_median = *latency;
    for (const char* key : {"reference_latency_ms", "speedup_factor"}) {
      const auto number = number_or_word(member(performance, key));
      if (number && std::isfinite(*number) && *number > 0) group.values[key] = {*number};
    }
  }

  static void add_failure(const std::string& status, FailureKind kind, const std::string& log,
                          BenchmarkRecord& record) {
    constexpr size_t kLongest = 4000;
    record.status = "error";
    record.error_no = error_number(kind_in_log(log).value_or(kind));
    record.error_message = status;
    if (!log.empty()) *record.error_message += ": " + to_utf8(log.substr(0, kLongest));
    if (kind_in_log(log)) record.error_message = to_utf8(log.substr(0, kLongest));
    record.runtime_ms_low.reset();
    record.runtime_ms_high.reset();
    record.runtime_ms_in_place.reset();
  }

  int64_t count_ = 0;
};

bool recognises_flashinfer(const FileHead& head) {
  return std::ranges::any_of(objects_of(head.bytes), [](const ObjectKeys& trace) {
    return trace.has("definition") && trace.has("workload");
  });
}

Result<std::unique_ptr<RecordReader>> open_flashinfer(const std::string& path) {
  return open_import<FlashinferReader>(path, false);
}

}  // namespace

CodecDef flashinfer_codec() {
  return {.name = "flashinfer",
          .summary = "traces of FlashInfer-Bench; only read (`opbench export flashinfer` writes)",
          .recognises = recognises_flashinfer,
          .open = open_flashinfer};
}

}  // namespace opbench
