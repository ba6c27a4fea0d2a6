#include <nlohmann/json.hpp>

#include "base/system/seconds.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

/// `{"results": [{"command", "mean", …, "times", "exit_codes", "parameters"}]}`, in seconds.
class HyperfineReader : public ImportReader {
 public:
  using ImportReader::ImportReader;

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    if (slice.key != "results") return;
    const auto command = text_member(value, "command");
    if (!command) {
      issues.push_back({"E_MISSING", "command", "a result names no command"});
      return;
    }
    Group& group = this->group(std::to_string(++count_), slice.line);
    BenchmarkRecord& record = group.record;
    record.workload = "hyperfine." + without_controls(*command);
    record.reproducer = *command;
    record.engine = "hyperfine";
    record.scope = "model";
    record.source_form = "hyperfine";
    assume_timestamp(record);
    assume_hardware(record);
    const Json parameters = member(value, "parameters");
    if (parameters.is_object()) record.workload_args = JsonText{canonical_text(parameters)};
    add_times(value, group);
    for (const char* key : {"user", "system"}) {
      if (const auto time = number_member(value, key)) {
        group.values[std::string(key) + "_time_ms"] = {s_to_ms(*time)};
      }
    }
    const Json memory = member(value, "memory_usage_byte");
    for (const Json& bytes : memory) {
      if (bytes.is_number()) group.values["memory_usage_byte"].push_back(bytes.get<double>());
    }
  }

  void finish(Group& group) override { set_result(group); }

 private:
  /// How a run ended. hyperfine writes null for one that a signal ended; older versions have no
  /// list.
  enum class RunEnd { kGood, kExitCode, kSignal };

  static RunEnd end_of(const Json& code) {
    if (!code.is_number()) return RunEnd::kSignal;
    return code == 0 ? RunEnd::kGood : RunEnd::kExitCode;
  }

  static void add_dropped(const std::string& why, int64_t runs, BenchmarkRecord& record) {
    if (runs == 0) return;
    if (!record.samples_dropped) record.samples_dropped.emplace();
    (*record.samples_dropped)[why] = runs;
  }

  static std::string failure_text(int64_t by_code, int64_t by_signal, int64_t runs) {
    const int64_t failed = by_code + by_signal;
    const std::string many = failed == runs
                                 ? "all " + std::to_string(runs)
                                 : std::to_string(failed) + " of " + std::to_string(runs);
    const char* const how = by_signal == 0 ? "an exit code"
                            : by_code == 0 ? "a signal"
                                           : "an exit code or a signal";
    return many + " runs ended with " + how;
  }

  /// Runs that failed are not timed: what they did is not known.
  static void add_times(const Json& value, Group& group) {
    const Json times = member(value, "times");
    const Json codes = member(value, "exit_codes");
    const bool has_times = times.is_array() && !times.empty();
    const bool has_codes = codes.is_array() && !codes.empty();
    if (has_times && has_codes && times.size() != codes.size()) {
      group.issues.push_back({"E_COUNT", "exit_codes",
                              std::to_string(codes.size()) + " exit codes of " +
                                  std::to_string(times.size()) + " times"});
      return;
    }
    int64_t by_code = 0, by_signal = 0;
    for (size_t i = 0; has_codes && i < codes.size(); ++i) {
      by_code += end_of(codes[i]) == RunEnd::kExitCode ? 1 : 0;
      by_signal += end_of(codes[i]) == RunEnd::kSignal ? 1 : 0;
    }
    for (size_t i = 0; has_times && i < times.size(); ++i) {
      const bool is_good = !has_codes || end_of(codes[i]) == RunEnd::kGood;
      if (is_good && times[i].is_number()) {
        add_time(group, s_to_ms(times[i].get<double>()));
      }
    }
    BenchmarkRecord& record = group.record;
    add_dropped("exit_code", by_code, record);
    add_dropped("signal", by_signal, record);
    if (!group.times_ms.empty()) return;
    if (by_code + by_signal > 0) {  // a mean without single times is of the failed runs too
      record.status = "error";
      record.error_no = 4;
      record.error_message = failure_text(by_code, by_signal, std::ssize(codes));
      return;
    }
    // Older versions and summaries have no single times.
    if (const auto mean = number_member(value, "mean")) record.runtime_ms_mean = s_to_ms(*mean);
    if (const auto std = number_member(value, "stddev")) {
      record.runtime_ms_std = s_to_ms(*std);
      record.std_ddof = 1;
    }
    if (const auto least = number_member(value, "min")) record.runtime_ms_min = s_to_ms(*least);
    if (const auto median = number_member(value, "median")) {
      record.runtime_ms_median = s_to_ms(*median);
    }
  }

  int64_t count_ = 0;
};

bool recognises_hyperfine(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kHyperfine;
}

}  // namespace

CodecDef hyperfine_codec() {
  return {.name = "hyperfine",
          .summary = "hyperfine's --export-json; only read",
          .recognises = recognises_hyperfine,
          .open = open_import<HyperfineReader>};
}

}  // namespace opbench
