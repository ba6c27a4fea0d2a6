#include <nlohmann/json.hpp>

#include <filesystem>

#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_member.h"
#include "records/json/utf8_text.h"

namespace opbench {
namespace {

/// Parts of a call, in milliseconds, under their names of TensorRT 8 and later and of 7.
constexpr const char* kTrtexecParts[] = {"computeMs", "h2dMs", "d2hMs", "inMs", "outMs"};

/// `[{"startEnqMs", …, "h2dMs", "computeMs", "d2hMs", "latencyMs"}]`: every call of one run, which
/// is one record. The latency is the sum of the three parts.
class TrtexecTimesReader : public ImportReader {
 public:
  using ImportReader::ImportReader;

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    const auto latency = number_member(value, "latencyMs");
    if (!latency || *latency < 0) {
      issues.push_back({"E_TYPE", "latencyMs",
                        value.is_object() && value.contains("latencyMs")
                            ? "no time: " + member(value, "latencyMs").dump()
                            : "a call has no latencyMs"});
      return;
    }
    Group& group = this->group("", slice.line);
    add_time(group, *latency);
    for (const char* part : kTrtexecParts) add_part(value, part, group);
    const auto start = number_member(value, "startEnqMs");
    const auto end = number_member(value, "endEnqMs");
    if (start && end && *end >= *start) group.values["enqueue_ms"].push_back(*end - *start);
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    record.workload =
        without_controls("trtexec." + to_utf8(std::filesystem::path(path()).stem().string()));
    record.engine = "tensorrt";
    record.scope = "model";
    record.source_form = "trtexec-times";
    assume_timestamp(record);
    assume_hardware(record);
    set_result(group);
  }

 private:
  static void add_part(const Json& call, const std::string& part, Group& group) {
    const auto time = number_member(call, part);
    if (!time) return;
    const std::string name = part.substr(0, part.size() - 2) + "_ms";
    group.values[name].push_back(*time);
  }
};

/// Its lines begin with a comma, so the keys of all but the first object are looked for as text.
bool recognises_trtexec_times(const FileHead& head) {
  const size_t begin = head.bytes.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head.bytes[begin] == '[' &&
         head.bytes.find("\"latencyMs\"") != std::string_view::npos &&
         head.bytes.find("\"computeMs\"") != std::string_view::npos;
}

Result<std::unique_ptr<RecordReader>> open_trtexec_times(const std::string& path) {
  return open_import<TrtexecTimesReader>(path, false);
}

}  // namespace

CodecDef trtexec_times_codec() {
  return {.name = "trtexec-times",
          .summary = "trtexec's --exportTimes in JSON; only read",
          .recognises = recognises_trtexec_times,
          .open = open_trtexec_times};
}

}  // namespace opbench
