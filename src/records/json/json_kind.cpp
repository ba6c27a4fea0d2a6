#include "records/json/json_kind.h"

#include <algorithm>
#include <cstddef>

namespace opbench {
namespace {

/// Goes over text without minding what is wrong with it.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  /// The keys of the object that begins here, until it ends or the text does.
  ObjectKeys object() {
    ObjectKeys object;
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        const std::string_view string = take_string();
        if (depth == 1 && next_is_colon()) add(string, object);
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at_;
      if (depth == 0) break;
    }
    return object;
  }

 private:
  std::string_view take_string() {
    const size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    const std::string_view string = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) ++at_;
    return string;
  }

  bool next_is_colon() {
    const size_t next = text_.find_first_not_of(" \t\r\n", at_);
    return next != std::string_view::npos && text_[next] == ':';
  }

  void add(std::string_view key, ObjectKeys& object) {
    object.keys.emplace(key);
    if (key != "schema_version") return;
    const size_t value = text_.find_first_not_of(" \t\r\n:\"", at_);
    if (value == std::string_view::npos) return;
    const size_t end = std::min(text_.find_first_of("\",} \t\r\n", value), text_.size());
    object.schema_version = text_.substr(value, end - value);
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool is_form_b(const ObjectKeys& object) {
  constexpr const char* kKeys[] = {"env_name", "additional_info", "build_config",
                                   "execution_elapsed_ms_mean"};
  return std::ranges::any_of(kKeys, [&](const char* key) { return object.has(key); });
}

JsonKind kind_of(const ObjectKeys& object) {
  const auto has = [&](std::string_view key) { return object.has(key); };
  if (has("benchmark") && has("metric")) return JsonKind::kUnknown;  // PyTorch's, with a version
  if (has("workload") && has("engine")) {
    if (object.schema_version == "0.2" || has("source_form")) return JsonKind::kBenchmark;
    const bool is_mixed = has("hardware") || has("runtime_ms_mean");
    return is_form_b(object) && !is_mixed ? JsonKind::kBenchmarkB : JsonKind::kBenchmarkD;
  }
  if (has("target") && has("task") && (has("config") || has("result"))) {
    return JsonKind::kTuningMessage;
  }
  // Chrome's trace events, which many programs write, ONNX Runtime among them.
  if (has("traceEvents") || (has("ph") && (has("ts") || has("pid")))) return JsonKind::kTrace;
  if (has("context") && (has("benchmarks") || object.keys.size() == 1)) {
    return JsonKind::kGoogleBenchmark;
  }
  if (has("results") && object.keys.size() == 1) return JsonKind::kHyperfine;
  if (has("schema_version") || has("runtime_ms_mean") || has("execution_elapsed_ms_mean")) {
    return object.schema_version == "0.2" ? JsonKind::kBenchmark
           : is_form_b(object)            ? JsonKind::kBenchmarkB
                                          : JsonKind::kBenchmarkD;
  }
  return JsonKind::kUnknown;
}

}  // namespace

std::vector<ObjectKeys> objects_of(std::string_view head) {
  std::vector<ObjectKeys> objects;
  constexpr size_t kMost = 64;
  size_t at = 0;
  while (at < head.size() && objects.size() < kMost) {
    size_t begin = head.find_first_not_of(" \t\r\n,[", at);
    if (begin == std::string_view::npos) break;
    const bool is_first = objects.empty() && at == 0;
    // Of a pretty-printed object, only the first line begins one.
    const bool begins_line = begin == 0 || head[begin - 1] == '\n' || is_first;
    if (head[begin] == '{' && begins_line) objects.push_back(Scan(head.substr(begin)).object());
    at = std::min(head.find('\n', begin), head.size());
  }
  return objects;
}

JsonKind json_kind(std::string_view head) {
  for (const ObjectKeys& object : objects_of(head)) {
    const JsonKind kind = kind_of(object);
    if (kind != JsonKind::kUnknown) return kind;
  }
  return JsonKind::kUnknown;
}

}  // namespace opbench
