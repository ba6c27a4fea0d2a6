#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

#include "base/files/line_reader.h"
#include "base/numbers/number.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/formats/onednn_problem.h"
#include "records/json/utf8_text.h"

namespace opbench {
namespace {

constexpr std::string_view kVerboseMarks[] = {"onednn_verbose,", "dnnl_verbose,"};

/// What follows the mark of a line of the log; nothing for other lines.
std::optional<std::string_view> after_mark(std::string_view line) {
  for (const std::string_view mark : kVerboseMarks) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return {};
}

std::vector<std::string> parts_of_verbose(std::string_view line) {
  std::vector<std::string> parts;
  while (true) {
    const size_t comma = line.find(',');
    parts.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    line.remove_prefix(comma + 1);
  }
}

std::optional<double> verbose_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return parse_number(text);
}

/// `onednn_verbose,v1,primitive,exec,cpu,convolution,jit:avx512_core,forward_inference,memory,
/// attributes,auxiliary,problem,milliseconds`: what an application ran. Equal problems of one
/// implementation are samples of one record.
class OnednnVerboseReader : public ImportReader {
 public:
  OnednnVerboseReader(LineReader lines, const std::string& path)
      : ImportReader(path), lines_(std::move(lines)) {}

 protected:
  Result<bool> read_more() override {
    OPBENCH_TRY(const std::optional<Line> line, lines_.next());
    if (!line) return false;
    const std::string whole = to_utf8(line->text);
    std::string_view text = whole;
    while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    const auto entry = after_mark(text);
    if (!entry) return true;  // what the application itself wrote
    Issues issues;
    take_entry(parts_of_verbose(*entry), line->number, issues);
    report(line->number, std::move(issues));
    return true;
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    record.engine = "onednn";
    record.scope = "unit";
    record.source_form = "onednn-verbose";
    if (!version_.empty()) record.engine_version = version_;
    if (threads_) {
      record.runtime_config =
          JsonText{canonical_text(Json::object({{"num_cpu_threads", *threads_}}))};
    }
    assume_timestamp(record);
    assume_hardware(record);
    set_result(group);
    if (record.status == "ok") record.runtime_ms_in_place = record.runtime_ms_median;
  }

 private:
  void take_entry(std::vector<std::string> parts, int64_t line, Issues& issues) {
    // `v1`, a timestamp and the component came with later versions.
    if (!parts.empty() && parts.front() == "v1") parts.erase(parts.begin());
    if (parts.size() > 1 && verbose_number(parts.front())) parts.erase(parts.begin());
    if (!parts.empty() && parts.front() == "info") {
      take_info(parts);
      return;
    }
    if (!parts.empty() && parts.front() == "primitive") parts.erase(parts.begin());
    if (parts.empty() || parts.front() != "exec") return;  // create, info, graph, …
    constexpr size_t kFields = 10;
    if (parts.size() != kFields) {
      issues.push_back({"E_COUNT", "exec",
                        std::to_string(parts.size()) + " fields of " + std::to_string(kFields) +
                            " that an execution has"});
      return;
    }
    const auto time = verbose_number(parts.back());
    if (!time || *time < 0) {
      issues.push_back({"E_TYPE", "exec_time", "no time: \"" + parts.back().substr(0, 40) + "\""});
      return;
    }
    std::string key;
    for (size_t i = 1; i + 1 < parts.size(); ++i) key += parts[i] + ",";
    const bool is_new = !has_group(key);
    Group& group = this->group(key, line);
    add_time(group, *time);
    if (is_new) start(parts, group.record);
  }

  static void start(const std::vector<std::string>& parts, BenchmarkRecord& record) {
    const OnednnProblem problem{.primitive = parts[2],
                                .prop_kind = parts[4],
                                .memory = parts[5],
                                .attributes = parts[6],
                                .auxiliary = parts[7],
                                .problem = parts[8]};
    const auto workload = workload_of_onednn(problem);
    record.workload = without_controls(
        workload ? "opbench." + *workload : "onednn." + problem.primitive + " " + problem.problem);
    Json arguments = {{"primitive", problem.primitive}, {"prop_kind", problem.prop_kind},
                      {"memory", problem.memory},       {"attributes", problem.attributes},
                      {"auxiliary", problem.auxiliary}, {"problem", problem.problem}};
    if (workload) arguments["workload"] = *workload;
    record.workload_args = JsonText{canonical_text(arguments)};
    record.engine_config =
        JsonText{canonical_text({{"engine", parts[1]}, {"implementation", parts[3]}})};
  }

  /// `info,oneDNN v3.4.0 (commit …)`, `info,cpu,runtime:OpenMP,nthr:8`
  void take_info(const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      constexpr std::string_view kVersion = "oneDNN v", kOlder = "DNNL v", kThreads = "nthr:";
      for (const std::string_view begin : {kVersion, kOlder}) {
        if (!part.starts_with(begin)) continue;
        const std::string rest = part.substr(begin.size());
        version_ = rest.substr(0, rest.find(' '));
      }
      if (!part.starts_with(kThreads)) continue;
      const auto threads = verbose_number(std::string_view(part).substr(kThreads.size()));
      if (threads && *threads >= 1 && *threads < 1e6) threads_ = static_cast<int64_t>(*threads);
    }
  }

  LineReader lines_;
  std::string version_;
  std::optional<int64_t> threads_;
};

bool recognises_onednn_verbose(const FileHead& head) {
  for (size_t at = 0; at < head.bytes.size();) {
    const std::string_view line = head.bytes.substr(at, head.bytes.find('\n', at) - at);
    if (after_mark(line)) return true;
    if (line.starts_with("{") || line.starts_with("[") || line.starts_with("perf,") ||
        line.starts_with("Output template: ")) {
      return false;
    }
    at += line.size() + 1;
  }
  return false;
}

Result<std::unique_ptr<RecordReader>> open_onednn_verbose(const std::string& path) {
  OPBENCH_TRY(LineReader lines, LineReader::open(path));
  return std::unique_ptr<RecordReader>(
      std::make_unique<OnednnVerboseReader>(std::move(lines), path));
}

}  // namespace

CodecDef onednn_verbose_codec() {
  return {.name = "onednn-verbose",
          .summary = "oneDNN's verbose log (ONEDNN_VERBOSE=1); only read",
          .recognises = recognises_onednn_verbose,
          .open = open_onednn_verbose};
}

}  // namespace opbench
