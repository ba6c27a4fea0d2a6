#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/files/text_file.h"
#include "base/system/seconds.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"
#include "records/json/odd_number.h"
#include "records/json/strict_json.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAsvBenchmarks = "benchmarks.json";
constexpr const char* kAsvMachine = "machine.json";
constexpr size_t kMostAsvCases = 1'000'000;

/// Result files of the folder: those of a machine's folder, all but machine.json.
std::vector<std::string> asv_files(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  const auto add = [&](const fs::path& machine) {
    for (const auto& entry : fs::directory_iterator(machine, ignored)) {
      const fs::path& path = entry.path();
      const std::string name = path.filename().string();
      const bool is_result = path.extension() == ".json" && name != kAsvMachine &&
                             name != kAsvBenchmarks && entry.is_regular_file(ignored);
      if (is_result) files.push_back(path.string());
    }
  };
  if (fs::exists(folder / kAsvMachine, ignored)) add(folder);
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored)) add(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// A result file of asv: `{"commit_hash", "env_name", "params", "result_columns", "results":
/// {benchmark: [column, …]}}`. Each combination of a benchmark's parameters is a record.
class AsvReader : public ImportReader {
 public:
  AsvReader(const std::string& path, std::vector<std::string> files, Json benchmarks)
      : ImportReader(path), files_(std::move(files)), benchmarks_(std::move(benchmarks)) {}

 protected:
  Result<bool> read_more() override {
    if (at_ == files_.size()) return false;
    const std::string& file = files_[at_++];
    OPBENCH_TRY(const std::string text, read_text_file(file));
    Issues issues;
    const auto json = StrictJson::parse(with_quoted_words(text), issues);
    if (json) take_file(json->value(), file, issues);
    const std::string name = fs::path(file).filename().string();
    for (RecordIssue& issue : issues) {
      if (files_.size() > 1) issue.message = name + ": " + issue.message;
    }
    const int64_t line = !issues.empty() && issues.front().line > 0 ? issues.front().line : 1;
    report(line, std::move(issues));
    return true;
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    if (record.timestamp.empty()) assume_timestamp(record);
    if (record.hardware.empty()) assume_hardware(record);
    set_result(group);
  }

 private:
  /// What stands in one file for all its benchmarks.
  struct Run {
    const Json* file = nullptr;
    std::vector<std::string> columns;
  };

  void take_file(const Json& json, const std::string& name, Issues& issues) {
    const Json results = member(json, "results");
    if (!results.is_object()) {
      issues.push_back({"E_TYPE", "results", "no object of benchmarks"});
      return;
    }
    Run run{.file = &json};
    for (const Json& column : member(json, "result_columns")) {
      run.columns.push_back(column.is_string() ? column.get<std::string>() : "");
    }
    if (run.columns.empty()) run.columns = {"result", "params"};
    for (const auto& [benchmark, row] : results.items()) {
      take_benchmark(run, name, benchmark, row, issues);
    }
  }

  static Json column_of(const Run& run, const Json& row, const char* name) {
    if (row.is_object()) return member(row, name);  // of the first version
    if (!row.is_array()) return std::string(name) == "result" ? row : Json();
    const auto place = std::ranges::find(run.columns, name) - run.columns.begin();
    return place < std::ssize(row) ? row[static_cast<size_t>(place)] : Json();
  }

  /// Whether its results are seconds; the unit stands in benchmarks.json, else the name tells.
  bool is_time(const std::string& benchmark) {
    const Json entry = member(benchmarks_, benchmark);
    const std::string unit = text_member(entry, "unit").value_or("");
    if (unit == "seconds") return true;
    const std::string word = benchmark.substr(benchmark.rfind('.') + 1);
    const bool is_named = word.starts_with("time_") || word.starts_with("timeraw_");
    if (unit.empty() && is_named) return true;
    warn_of_file("W_NOT_TIME", benchmark.c_str(),
                 unit.empty() ? "no unit is known of it; left out"
                              : "its unit is " + unit.substr(0, 40) + ", no time; left out");
    return false;
  }

  void take_benchmark(const Run& run, const std::string& file, const std::string& benchmark,
                      const Json& row, Issues& issues) {
    if (!is_time(benchmark)) return;
    Json results = column_of(run, row, "result");
    const Json params = column_of(run, row, "params");
    if (results.is_null()) {
      add_record(run, {file, benchmark, 0}, Json(), Json(), row);
      return;
    }
    if (!results.is_array()) results = Json::array({results});
    const size_t cases = results.size();
    size_t combinations = 1;
    for (const Json& values : params) {
      combinations *= values.is_array() ? values.size() : 1;
      if (combinations > kMostAsvCases) break;
    }
    if (cases != combinations) {
      issues.push_back({"E_COUNT", benchmark,
                        std::to_string(cases) + " results of " + std::to_string(combinations) +
                            " combinations of parameters"});
      return;
    }
    for (size_t i = 0; i < cases; ++i) {
      add_record(run, {file, benchmark, i}, results[i], params, row);
    }
  }

  struct Case {
    const std::string& file;
    const std::string& benchmark;
    size_t number = 0;
  };

  /// The parameters' values of one combination, of which the last runs fastest.
  Json arguments_of(const Case& one, const Json& params) const {
    Json arguments = Json::object();
    const Json names = member(member(benchmarks_, one.benchmark), "param_names");
    size_t rest = one.number;
    for (size_t i = params.is_array() ? params.size() : 0; i-- > 0;) {
      const Json& values = params[i];
      if (!values.is_array() || values.empty()) continue;
      const bool is_named = names.is_array() && i < names.size() && names[i].is_string();
      const std::string name =
          is_named ? names[i].get<std::string>() : "param" + std::to_string(i + 1);
      arguments[name] = values[rest % values.size()];
      rest /= values.size();
    }
    return arguments;
  }

  static Json part_of(const Run& run, const Json& row, const char* name, size_t number) {
    const Json column = column_of(run, row, name);
    return column.is_array() && number < column.size() ? column[number] : Json();
  }

  void add_record(const Run& run, const Case& one, const Json& result, const Json& params,
                  const Json& row) {
    const std::string key = one.file + "\n" + one.benchmark + "\n" + std::to_string(one.number);
    Group& group = this->group(key, 1);
    BenchmarkRecord& record = group.record;
    const Json arguments = arguments_of(one, params);
    record.workload = "asv." + one.benchmark;
    if (!arguments.empty()) {
      record.workload += " " + canonical_text(arguments);
      record.workload_args = JsonText{canonical_text(arguments)};
    }
    record.workload = without_controls(std::move(record.workload));
    record.engine = "asv";
    record.scope = "unit";
    record.source_form = "asv";
    add_run(*run.file, record);
    const auto started = number_or_word(column_of(run, row, "started_at"));
    constexpr double kAsvUsInMs = 1e3;
    if (started && *started > 0 && *started < 1e14) {
      record.timestamp = rfc3339_of_us(static_cast<int64_t>(*started * kAsvUsInMs));
    }
    const auto seconds = number_or_word(result);
    if (!seconds || !std::isfinite(*seconds)) {
      record.status = "error";
      record.error_no = result.is_null() ? 4 : 8;
      record.error_message = result.is_null() ? "asv has no result: it failed"
                                              : "asv has no result (" +
                                                    std::string(seconds ? "NaN" : "no number") +
                                                    "): it was skipped";
      return;
    }
    add_times(run, row, one.number, *seconds, group);
  }

  static void add_times(const Run& run, const Json& row, size_t number, double seconds,
                        Group& group) {
    BenchmarkRecord& record = group.record;
    for (const Json& sample : part_of(run, row, "samples", number)) {
      const auto time = number_or_word(sample);
      if (time && std::isfinite(*time)) add_time(group, s_to_ms(*time));
    }
    if (group.times_ms.empty() && seconds > 0) {
      record.runtime_ms_mean = record.runtime_ms_median = s_to_ms(seconds);
      record.metadata = JsonText{canonical_text(
          Json::object({{"runtime_ms_mean_reason", "the file holds the median alone"}}))};
    }
    const std::pair<const char*, const char*> kStatistics[] = {{"stats_ci_99_a", "ci_99_low_ms"},
                                                               {"stats_ci_99_b", "ci_99_high_ms"},
                                                               {"stats_q_25", "q1_ms"},
                                                               {"stats_q_75", "q3_ms"}};
    for (const auto& [column, metric] : kStatistics) {
      const auto time = number_or_word(part_of(run, row, column, number));
      if (time && std::isfinite(*time)) group.values[metric] = {s_to_ms(*time)};
    }
    Json execution = Json::object();
    for (const char* count : {"number", "repeat"}) {
      const auto whole = whole_number(part_of(run, row, count, number));
      if (whole && *whole >= 1) execution[count] = *whole;
    }
    if (!execution.empty()) record.execution_config = JsonText{canonical_text(execution)};
  }

  static void add_run(const Json& file, BenchmarkRecord& record) {
    const Json machine = member(file, "params");
    if (const auto name = text_member(machine, "machine")) record.hardware = *name;
    record.hw_model = text_member(machine, "cpu");
    Json hardware = Json::object();
    const Json cpus = member(machine, "num_cpu");
    const auto count = whole_number(
        cpus.is_string() ? Json::parse(cpus.get<std::string>(), nullptr, false) : cpus);
    if (count) hardware["cpu_count"] = *count;
    for (const char* key : {"arch", "ram"}) {
      if (const auto text = text_member(machine, key)) hardware[key] = *text;
    }
    if (!hardware.empty()) record.hardware_config = JsonText{canonical_text(hardware)};
    Json software = Json::object();
    if (const auto system = text_member(machine, "os")) software["os"] = *system;
    if (const auto python = text_member(file, "python")) software["python_version"] = *python;
    const Json needed = member(file, "requirements");
    if (needed.is_object() && !needed.empty()) software["requirements"] = needed;
    if (!software.empty()) record.software_config = JsonText{canonical_text(software)};
    std::map<std::string, std::string> labels;
    if (const auto commit = text_member(file, "commit_hash")) labels["commit"] = *commit;
    if (const auto env = text_member(file, "env_name")) labels["environment"] = *env;
    if (!labels.empty()) record.labels = std::move(labels);
  }

  std::vector<std::string> files_;
  size_t at_ = 0;
  Json benchmarks_;
};

bool recognises_asv(const FileHead& head) {
  std::error_code ignored;
  const fs::path path(head.path);
  if (head.is_folder) {
    return fs::exists(path / kAsvBenchmarks, ignored) || fs::exists(path / kAsvMachine, ignored);
  }
  const std::vector<ObjectKeys> objects = objects_of(head.bytes);
  if (objects.empty()) return false;
  const ObjectKeys& first = objects.front();
  return first.has("commit_hash") && (first.has("results") || first.has("result_columns"));
}

Result<std::unique_ptr<RecordReader>> open_asv(const std::string& path) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  std::vector<std::string> files = is_folder ? asv_files(path) : std::vector<std::string>{path};
  if (files.empty()) {
    return Error{ErrorCode::kInvalidInput, "the folder \"" + path + "\" holds no results of asv"}
        .with("valid", "asv's folder results, with a folder for each machine");
  }
  Json benchmarks = Json::object();
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  for (const fs::path& place : {folder, folder / ".."}) {
    const fs::path file = place / kAsvBenchmarks;
    if (!fs::exists(file, ignored)) continue;
    OPBENCH_TRY(const std::string text, read_text_file(file.string()));
    OPBENCH_TRY(benchmarks, parse_json(with_quoted_words(text), file.string()));
    break;
  }
  return std::unique_ptr<RecordReader>(
      std::make_unique<AsvReader>(path, std::move(files), std::move(benchmarks)));
}

}  // namespace

CodecDef asv_codec() {
  return {.name = "asv",
          .summary = "asv's folder of results, or one result file; only read",
          .recognises = recognises_asv,
          .open = open_asv};
}

}  // namespace opbench
