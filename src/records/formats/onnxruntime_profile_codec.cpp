#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <regex>
#include <set>
#include <string_view>

#include "base/errors/suggestion.h"
#include "records/formats/codec.h"
#include "records/formats/import_reader.h"
#include "records/json/json_kind.h"
#include "records/json/json_member.h"
#include "records/json/utf8_text.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

constexpr double kMicrosecondsInMs = 1e3;
constexpr size_t kShownBytes = 40;
constexpr std::string_view kKernelTime = "_kernel_time";

/// An element type of ONNX Runtime in TVM's grammar; empty for those it has none for.
std::string dtype_of(const std::string& type) {
  if (type == "float") return "float32";
  if (type == "double") return "float64";
  if (type == "bfloat16") return "bfloat16";
  return is_dtype(type) ? type : "";
}

/// [{"float": [1, 3]}, …] as [{name, shape, dtype}, …]. Shapes that are not known are left out.
Json onnxruntime_profile_inputs_of(const Json& types) {
  Json inputs = Json::array();
  for (size_t i = 0; types.is_array() && i < types.size(); ++i) {
    if (!types[i].is_object() || types[i].empty()) continue;
    const std::string type = types[i].begin().key();
    const Json& shape = types[i].begin().value();
    const bool is_shape = shape.is_array() && std::ranges::all_of(shape, [](const Json& extent) {
                            return extent.is_number_integer() && extent >= 0;
                          });
    if (!is_shape) continue;
    inputs.push_back({{"name", "input" + std::to_string(i)}, {"shape", shape}});
    if (const std::string dtype = dtype_of(type); !dtype.empty()) inputs.back()["dtype"] = dtype;
  }
  return inputs;
}

/// `1x64x56x56, 64x64x3x3`
std::string shapes_of(const Json& inputs) {
  std::string text;
  for (const Json& input : inputs) {
    if (!text.empty()) text += ", ";
    std::string shape;
    for (const Json& extent : input["shape"]) shape += (shape.empty() ? "" : "x") + extent.dump();
    text += shape.empty() ? "scalar" : shape;
  }
  return text;
}

bool is_category(const std::string& category) {
  return category == "Session" || category == "Node";
}

/// An array of events, or an object with one.
bool is_event_list(const std::string& key) { return key.empty() || key == "traceEvents"; }

/// Many programs write traces of this form: what ONNX Runtime alone calls its events.
bool is_of_onnxruntime(const Json& event) {
  const std::string name = text_member(event, "name").value_or("");
  const std::string category = text_member(event, "cat").value_or("");
  if (category == "Node") return member(event, "args").contains("op_name");
  return category == "Session" && (name == "model_run" || name == "session_initialization" ||
                                   name.starts_with("model_loading"));
}

/// `kInvalidInput` for a trace without one event of ONNX Runtime.
Result<void> check_origin(const std::string& path) {
  OPBENCH_TRY(JsonValues values, JsonValues::open(path, {.into_objects = true}));
  std::set<std::string> others;
  constexpr size_t kShown = 4;
  while (true) {
    OPBENCH_TRY(const std::optional<JsonSlice> slice, values.next());
    if (!slice) break;
    const Json event = Json::parse(slice->text, nullptr, false);
    if (!is_event_list(slice->key) || !event.is_object()) continue;
    if (is_of_onnxruntime(event)) return {};
    const auto category = text_member(event, "cat");
    if (category && others.size() < kShown)
      others.insert(to_utf8(category->substr(0, kShownBytes)));
  }
  Error error{ErrorCode::kInvalidInput,
              "\"" + path + "\" is a trace that holds no event of ONNX Runtime"};
  if (!others.empty()) {
    error = std::move(error).with("events of", join({others.begin(), others.end()}));
  }
  return std::move(error).with("valid", "what ONNX Runtime's profiler writes");
}

/// Events of a session: `model_run` is the model, `<node>_kernel_time` a node in the running model.
class OnnxRuntimeProfileReader : public ImportReader {
 public:
  OnnxRuntimeProfileReader(JsonValues values, const std::string& path)
      : ImportReader(std::move(values), path) {
    const std::string name = std::filesystem::path(path).filename().string();
    // The program names its file by the moment of its start, in the machine's own time.
    static const std::regex kMoment(R"((\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d))");
    std::smatch parts;
    if (name.size() > 255 || !std::regex_search(name, parts, kMoment)) return;
    moment_ = parts[1].str() + "T" + parts[2].str() + ":" + parts[3].str() + ":" + parts[4].str();
  }

 protected:
  void take(const JsonSlice& slice, const Json& value, Issues& issues) override {
    if (!is_event_list(slice.key)) return;
    const auto name = text_member(value, "name");
    const auto category = text_member(value, "cat");
    const auto duration = number_member(value, "dur");
    if (category && !is_category(*category)) return;  // of another part of the program
    if (!name || !category || !duration || *duration < 0) {
      issues.push_back({"E_TYPE", "dur", "an event needs cat, name and dur"});
      return;
    }
    const double time_ms = *duration / kMicrosecondsInMs;
    if (*category == "Session") {
      take_session(*name, time_ms, slice.line);
    } else if (*category == "Node" && name->ends_with(kKernelTime)) {
      take_node(name->substr(0, name->size() - kKernelTime.size()), member(value, "args"), time_ms,
                slice.line);
    }
  }

  void finish(Group& group) override {
    BenchmarkRecord& record = group.record;
    record.engine = "onnxruntime";
    record.source_form = "onnxruntime-profile";
    std::vector<RecordIssue> found;
    const auto moment = parse_timestamp(moment_, now_us(), found);
    if (!moment_.empty() && moment) {
      record.timestamp = rfc3339_of_us(*moment);
      warn_of_file("W_TZ_ASSUMED", "timestamp", "the moment in the file's name has no zone");
    } else {
      assume_timestamp(record);
    }
    assume_hardware(record);
    if (record.scope == "model") group.values.insert(session_.begin(), session_.end());
    set_result(group);
    if (record.scope == "unit") record.runtime_ms_in_place = record.runtime_ms_median;
  }

 private:
  void take_session(const std::string& name, double time_ms, int64_t line) {
    if (name == "model_run") {
      Group& group = this->group("", line);
      group.record.workload = "onnxruntime.model_run";
      group.record.scope = "model";
      add_time(group, time_ms);
    } else if (name == "session_initialization" || name.starts_with("model_loading")) {
      session_[(name.starts_with("model") ? "model_loading" : name) + "_ms"] = {time_ms};
    }
  }

  void take_node(const std::string& node, const Json& args, double time_ms, int64_t line) {
    const std::string op = text_member(args, "op_name").value_or("unknown");
    const Json inputs = onnxruntime_profile_inputs_of(member(args, "input_type_shape"));
    const std::string shapes = shapes_of(inputs);
    const std::string key = "node " + node + "\n" + op + "\n" + shapes;
    const bool is_new = !has_group(key);
    Group& group = this->group(key, line);
    add_time(group, time_ms);
    if (!is_new) return;
    BenchmarkRecord& record = group.record;
    record.workload = "onnxruntime." + op + (shapes.empty() ? "" : " " + shapes);
    record.scope = "unit";
    record.nodes = std::vector<std::string>{node};
    record.inputs = JsonText{canonical_text(inputs)};
    record.workload_args = JsonText{
        canonical_text({{"operator", op}, {"outputs", member(args, "output_type_shape")}})};
    if (const auto provider = text_member(args, "provider")) {
      record.engine_config = JsonText{canonical_text({{"provider", *provider}})};
    }
    for (const char* size : {"parameter_size", "activation_size", "output_size"}) {
      const auto text = text_member(args, size);
      if (!text || text->find_first_not_of("0123456789") != std::string::npos) continue;
      group.values[std::string(size) + "_bytes"] = {std::strtod(text->c_str(), nullptr)};
    }
  }

  std::string moment_;
  std::map<std::string, std::vector<double>> session_;
};

bool recognises_onnxruntime_profile(const FileHead& head) {
  return json_kind(head.bytes) == JsonKind::kTrace;
}

Result<std::unique_ptr<RecordReader>> open_onnxruntime_profile(const std::string& path) {
  OPBENCH_CHECK(check_origin(path));
  return open_import<OnnxRuntimeProfileReader>(path);
}

}  // namespace

CodecDef onnxruntime_profile_codec() {
  return {.name = "onnxruntime-profile",
          .summary = "ONNX Runtime's profiling events in JSON; only read",
          .recognises = recognises_onnxruntime_profile,
          .open = open_onnxruntime_profile};
}

}  // namespace opbench
