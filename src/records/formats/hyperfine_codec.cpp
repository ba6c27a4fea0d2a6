#include <nlohmann/json.hpp>

#include <algorithm>

#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

constexpr double kHyperfineMilli = 1e3;

/// `{"results": [{"command", "mean", …, "times", "exit_codes", "parameters"}]}`, in seconds.
class HyperfineReader : public ImportReader {
 public:
  using ImportReader::ImportReader;

 protected:
  void take(const JsonPiece& piece, const Json& value, Issues& issues) override {
    if (piece.key != "results") return;
    const auto command = text_member(value, "command");
    if (!command) {
      issues.push_back({"E_MISSING", "command", "a result names no command"});
      return;
    }
    Group& group = this->group(std::to_string(++count_), piece.line);
    BenchmarkRecord& record = group.record;
    std::string name = *command;
    std::ranges::replace_if(
        name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    record.workload = "hyperfine." + name;
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
        group.values[std::string(key) + "_time_ms"] = {*time * kHyperfineMilli};
      }
    }
    const Json memory = member(value, "memory_usage_byte");
    for (const Json& bytes : memory) {
      if (bytes.is_number()) group.values["memory_usage_byte"].push_back(bytes.get<double>());
    }
  }

  void finish(Group& group) override { set_result(group); }

 private:
  /// Runs that ended with a code are not timed: what they did is not known.
  static void add_times(const Json& value, Group& group) {
    const Json times = member(value, "times");
    const Json codes = member(value, "exit_codes");
    int64_t failed = 0;
    for (size_t i = 0; times.is_array() && i < times.size(); ++i) {
      const bool has_code = codes.is_array() && i < codes.size() && codes[i].is_number_integer();
      if (has_code && codes[i] != 0) {
        ++failed;
      } else if (times[i].is_number()) {
        add_time(group, times[i].get<double>() * kHyperfineMilli);
      }
    }
    BenchmarkRecord& record = group.record;
    if (failed > 0) record.samples_dropped = std::map<std::string, int64_t>{{"exit_code", failed}};
    if (!group.times_ms.empty()) return;
    if (failed > 0) {
      record.status = "error";
      record.error_no = 4;
      record.error_message = "all " + std::to_string(failed) + " runs ended with an exit code";
      return;
    }
    // Older versions and summaries have no single times.
    if (const auto mean = number_member(value, "mean"))
      record.runtime_ms_mean = *mean * kHyperfineMilli;
    if (const auto std = number_member(value, "stddev")) {
      record.runtime_ms_std = *std * kHyperfineMilli;
      record.std_ddof = 1;
    }
    if (const auto least = number_member(value, "min"))
      record.runtime_ms_min = *least * kHyperfineMilli;
    if (const auto median = number_member(value, "median")) {
      record.runtime_ms_median = *median * kHyperfineMilli;
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
