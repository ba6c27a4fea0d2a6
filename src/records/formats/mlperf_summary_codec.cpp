#include <nlohmann/json.hpp>

#include <optional>

#include "base/files/line_reader.h"
#include "base/numbers/number.h"
#include "base/text/ascii.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/utf8_text.h"

namespace opbench {
namespace {

constexpr double kMlperfNanosecondsInMs = 1e6;
constexpr std::string_view kMlperfTitle = "MLPerf Results Summary";

/// `mlperf_log_summary.txt`: lines `name : value` in three parts, which are one record. Latencies
/// are nanoseconds.
class MlperfSummaryReader : public ImportReader {
 public:
  MlperfSummaryReader(LineReader lines, const std::string& path)
      : ImportReader(path), lines_(std::move(lines)) {}

 protected:
  Result<bool> read_more() override {
    OPBENCH_TRY(const std::optional<Line> line, lines_.next());
    if (!line) return false;
    const std::string whole = to_utf8(line->text);
    const std::string_view text = trimmed(whole);
    if (text == kMlperfTitle && !current_.empty()) {
      report(line->number, {{"E_KEYS", "", "a second summary begins here; a file holds one run"}});
      is_beyond_ = true;
    }
    if (is_beyond_) return true;
    if (text == kMlperfTitle) {
      part_ = Part::kSummary;
      current_ = std::to_string(line->number);
      group(current_, line->number);
    } else if (text == "Additional Stats") {
      part_ = Part::kStatistics;
    } else if (text == "Test Parameters Used") {
      part_ = Part::kParameters;
    } else if (!current_.empty()) {
      const bool is_detail = line->text.starts_with("  ");
      Issues issues;
      take_line(text, is_detail, issues);
      report(line->number, std::move(issues));
    }
    return true;
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    record.workload = without_controls("mlperf." + (sut_.empty() ? "unnamed" : sut_));
    record.engine = "mlperf-loadgen";
    record.scope = "model";
    record.source_form = "mlperf-summary";
    assume_timestamp(record);
    assume_hardware(record);
    if (!labels_.empty()) record.labels = labels_;
    if (!parameters_.empty()) {
      record.metadata = JsonText{canonical_text(Json::object({{"test_parameters", parameters_}}))};
    }
    if (verdict_ == "INVALID") {
      record.status = "error";
      record.error_no = 8;
      record.error_message = "the run is INVALID by loadgen's rules";
      for (const std::string& why : unmet_) *record.error_message += "; " + why;
      drop_mlperf_times(record);
    } else if (!record.runtime_ms_mean) {
      group.issues.push_back({"E_MISSING", "Mean latency (ns)", "the summary has no mean latency"});
    }
    set_result(group);
    if (record.status != "ok") drop_mlperf_times(record);
  }

 private:
  enum class Part { kSummary, kStatistics, kParameters };

  static void drop_mlperf_times(BenchmarkRecord& record) {
    record.runtime_ms_mean.reset();
    record.runtime_ms_median.reset();
    record.runtime_ms_min.reset();
  }

  void take_line(std::string_view text, bool is_detail, Issues& issues) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) return;  // rulers and sentences
    const std::string key(trimmed(text.substr(0, colon)));
    const std::string value(trimmed(text.substr(colon + 1)));
    if (part_ == Part::kParameters) {
      if (parameters_.size() < kMostParameters) parameters_[key] = value;
      return;
    }
    if (key == "Result is") {
      verdict_ = value;
      labels_["result"] = value;
    } else if (is_detail && key.ends_with("satisfied")) {
      if (value == "NO" || value == "No") unmet_.push_back(key + ": " + value);
    } else if (key == "SUT name") {
      sut_ = value;
    } else if (key == "Scenario" || key == "Mode") {
      labels_[key == "Mode" ? "mode" : "scenario"] = value;
    } else {
      take_number(key, value, issues);
    }
  }

  void take_number(const std::string& key, const std::string& value, Issues& issues) {
    const bool is_latency = key.ends_with("(ns)");
    const auto number = parse_number(value);
    if (!number) {
      if (is_latency) issues.push_back({"E_TYPE", key, "no number: \"" + value + "\""});
      return;
    }
    Group& group = this->group(current_, 1);
    if (!is_latency) {
      if (group.values.size() < kMostParameters) group.values[key] = {*number};
      return;
    }
    const double ms = *number / kMlperfNanosecondsInMs;
    BenchmarkRecord& record = group.record;
    if (key == "Mean latency (ns)") {
      if (ms > 0) record.runtime_ms_mean = ms;
    } else if (key == "50.00 percentile latency (ns)") {
      if (ms > 0) record.runtime_ms_median = ms;
    } else if (key == "Min latency (ns)") {
      if (ms > 0) record.runtime_ms_min = ms;
    } else {
      group.values[key.substr(0, key.size() - 4) + "(ms)"] = {ms};
    }
  }

  static constexpr size_t kMostParameters = 1000;
  LineReader lines_;
  Part part_ = Part::kSummary;
  bool is_beyond_ = false;  ///< behind the first run
  std::string current_, sut_, verdict_;
  std::vector<std::string> unmet_;
  std::map<std::string, std::string> labels_;
  Json parameters_ = Json::object();
};

bool recognises_mlperf_summary(const FileHead& head) {
  const size_t begin = head.bytes.find(kMlperfTitle);
  return begin != std::string_view::npos &&
         head.bytes.substr(0, begin).find_first_not_of("= \t\r\n") == std::string_view::npos;
}

Result<std::unique_ptr<RecordReader>> open_mlperf_summary(const std::string& path) {
  OPBENCH_TRY(LineReader lines, LineReader::open(path));
  return std::unique_ptr<RecordReader>(
      std::make_unique<MlperfSummaryReader>(std::move(lines), path));
}

}  // namespace

CodecDef mlperf_summary_codec() {
  return {.name = "mlperf-summary",
          .summary = "mlperf_log_summary.txt of MLPerf's loadgen; only read",
          .recognises = recognises_mlperf_summary,
          .open = open_mlperf_summary};
}

}  // namespace opbench
