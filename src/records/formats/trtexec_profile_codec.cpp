#include <nlohmann/json.hpp>

#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

/// `[{"count": runs}, {"name", "timeMs", "averageMs", "medianMs", "percentage"}, …]`: a record a
/// layer, timed inside the running network.
class TrtexecProfileReader : public ImportReader {
 public:
  using ImportReader::ImportReader;

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    if (value.is_object() && value.contains("count") && !value.contains("name")) {
      take_count(member(value, "count"), issues);
      return;
    }
    const auto name = text_member(value, "name");
    if (!name) {
      issues.push_back({"E_MISSING", "name", "a layer has no name"});
      return;
    }
    const auto average = number_member(value, "averageMs");
    if (!average || *average < 0) {
      issues.push_back(
          {"E_TYPE", "averageMs", "the layer \"" + name->substr(0, 80) + "\" has no average time"});
      return;
    }
    Group& group = this->group(std::to_string(++layers_), slice.line);
    BenchmarkRecord& record = group.record;
    record.workload = "tensorrt." + without_controls(*name);
    record.nodes = std::vector<std::string>{*name};
    record.runtime_ms_mean = *average;
    if (const auto median = number_member(value, "medianMs"); median && *median > 0) {
      record.runtime_ms_median = *median;
    }
    for (const char* key : {"timeMs", "percentage"}) {
      const auto number = number_member(value, key);
      if (number) group.values[key == std::string("timeMs") ? "total_ms" : key] = {*number};
    }
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    record.engine = "tensorrt";
    record.scope = "unit";
    record.source_form = "trtexec-profile";
    assume_timestamp(record);
    assume_hardware(record);
    if (!(*record.runtime_ms_mean > 0)) {
      record.runtime_ms_mean.reset();
      record.runtime_ms_median.reset();
    }
    set_result(group);
    if (record.status != "ok") return;
    record.runtime_ms_in_place = record.runtime_ms_mean;
    record.n_samples = runs_;
  }

 private:
  void take_count(const Json& count, Issues& issues) {
    runs_ = whole_number(count);
    if (runs_ && *runs_ >= 1) return;
    runs_.reset();
    issues.push_back({"E_TYPE", "count", "no number of runs: " + count.dump().substr(0, 80)});
  }

  int64_t layers_ = 0;
  std::optional<int64_t> runs_;
};

/// Its lines begin with a comma, so the keys of all but the first object are looked for as text.
bool recognises_trtexec_profile(const FileHead& head) {
  const size_t begin = head.bytes.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head.bytes[begin] == '[' &&
         head.bytes.find("\"averageMs\"") != std::string_view::npos &&
         head.bytes.find("\"timeMs\"") != std::string_view::npos;
}

Result<std::unique_ptr<RecordReader>> open_trtexec_profile(const std::string& path) {
  return open_import<TrtexecProfileReader>(path, false);
}

}  // namespace

CodecDef trtexec_profile_codec() {
  return {.name = "trtexec-profile",
          .summary = "trtexec's --exportProfile in JSON; only read",
          .recognises = recognises_trtexec_profile,
          .open = open_trtexec_profile};
}

}  // namespace opbench
