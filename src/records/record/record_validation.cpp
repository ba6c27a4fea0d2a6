#include "records/record/record_validation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "machine/target/tvm_target.h"
#include "records/json/json_member.h"
#include "records/record/benchmark_field_table.h"
#include "records/record/benchmark_record.h"
#include "records/record/prediction_rules.h"

namespace opbench {
namespace {

bool is_hex_of(const std::string& text, size_t length) {
  return text.size() == length && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// One record on its way through the checks.
class Validator {
 public:
  Validator(const Json& record, const ValidationOptions& options)
      : record_(record), options_(options) {}

  std::vector<RecordIssue> run() {
    if (!record_.is_object()) {
      add("E_TYPE", "", "a record is a JSON object");
      return issues_;
    }
    check_identity();
    check_status();
    check_workload();
    check_engine();
    check_types();
    check_execution();
    check_times();
    check_raw();
    check_prediction(record_, issues_);
    check_unknown();
    return issues_;
  }

 private:
  void add(const char* code, const std::string& field, const std::string& message) {
    issues_.push_back({code, field, message});
  }

  /// The field unless it is absent or null.
  const Json* find(const std::string& field) const {
    const auto value = record_.find(field);
    return value == record_.end() || value->is_null() ? nullptr : &*value;
  }

  static std::string shown(const Json& value) { return value.dump().substr(0, 80); }

  /// The text of a field. E_MISSING when it is required and not there, E_TYPE when it is no text.
  std::optional<std::string> text(const std::string& field, bool required) {
    const Json* value = find(field);
    if (value == nullptr) {
      if (required) add("E_MISSING", field, "the field is required");
      return {};
    }
    if (!value->is_string()) {
      add("E_TYPE", field, "text expected, not " + shown(*value));
      return {};
    }
    return value->get<std::string>();
  }

  /// The object of a field; E_TYPE when it is something else.
  const Json* object(const std::string& field) {
    const Json* value = find(field);
    if (value == nullptr || value->is_object()) return value;
    add("E_TYPE", field, "object expected, not " + shown(*value));
    return nullptr;
  }

  void check_identity() {
    const Json* version = find("schema_version");
    if (version == nullptr || *version != "0.2") {
      add("E_SCHEMA_VERSION", "schema_version",
          "got " + (version == nullptr ? "nothing" : shown(*version)) + ", can read 0.1, 0.2");
    }
    const auto id = text("record_id", false);
    if (id && !is_hex_of(*id, 64)) add("E_RECORD_ID", "record_id", "64 hex digits expected");
    const int64_t now =
        options_.now_us > 0 ? options_.now_us : std::numeric_limits<int64_t>::max() / 2;
    if (const auto moment = text("timestamp", true)) parse_timestamp(*moment, now, issues_);
    const auto scope = text("scope", true);
    if (scope && *scope != "unit" && *scope != "model") {
      add("E_TYPE", "scope", "unit or model expected, not \"" + *scope + "\"");
    }
    text("source_form", true);
    const auto hardware = text("hardware", true);
    if (hardware && hardware->empty()) add("E_MISSING", "hardware", "the name is empty");
  }

  void check_status() {
    const Json* status = find("status");
    const bool is_ok = status != nullptr && *status == "ok";
    const bool is_error = status != nullptr && *status == "error";
    if (!is_ok && !is_error) {
      add("E_STATUS", "status",
          "ok or error expected, not " + (status == nullptr ? "nothing" : shown(*status)));
    }
    const Json* number = find("error_no");
    const bool is_number =
        number != nullptr && number->is_number_integer() && *number >= 0 && *number <= 8;
    if (number != nullptr && !is_number)
      add("E_ERRNO", "error_no", "0 to 8 expected, not " + shown(*number));
    const bool says_error = is_number && *number > 0;
    if (is_error && !says_error) {
      add("E_STATUS_MISMATCH", "error_no", "status is error, but error_no names none");
    }
    if (is_error && find("runtime_ms_mean") != nullptr) {
      add("E_STATUS_MISMATCH", "runtime_ms_mean", "a failed record has no time");
    }
    if (is_ok && (says_error || find("error_message") != nullptr)) {
      add("E_STATUS_MISMATCH", "status", "status is ok, but there is an error");
    }
    if (is_error) text("error_message", true);
  }

  /// What this program writes is its own form: a model by its name, a unit by its engine's words.
  void check_workload_name(const std::string& name) {
    const Json* model = find("model");
    const Json* engine = find("engine");
    const bool is_model = model != nullptr && *model == name;
    const bool is_unit = engine != nullptr && engine->is_string() &&
                         name.starts_with(engine->get<std::string>() + ".");
    std::vector<RecordIssue> found;
    parse_workload_name(name, found);
    for (RecordIssue& issue : found) {
      const bool is_ours =
          (is_model && issue.code == "W_NO_DOMAIN") || (is_unit && issue.code == "W_COLON");
      if (!is_ours) issues_.push_back(std::move(issue));
    }
  }

  void check_workload() {
    if (const auto name = text("workload", true)) check_workload_name(*name);
    const Json* inputs = find("inputs");
    if (inputs != nullptr && !inputs->is_array()) {
      add("E_TYPE", "inputs", "list expected, not " + shown(*inputs));
    } else if (inputs != nullptr) {
      for (const Json& input : *inputs) check_input(input);
    }
    if (const Json* metadata = object("workload_metadata")) {
      const auto md5 = metadata->find("md5");
      if (md5 != metadata->end() && !md5->is_null() &&
          !(md5->is_string() && is_hex_of(md5->get<std::string>(), 32))) {
        add("W_MD5", "workload_metadata", shown(*md5) + " is not 32 hex digits");
      }
    }
  }

  void check_input(const Json& input) {
    if (!input.is_object()) {
      add("E_TYPE", "inputs", "object expected, not " + shown(input));
      return;
    }
    const Json shape = input.value("shape", Json());
    const bool is_shape =
        shape.is_array() && std::ranges::all_of(shape, [](const Json& extent) {
          return extent.is_number_integer() && whole_number(extent).value_or(-1) >= 0;
        });
    if (!is_shape) add("E_SHAPE", "inputs", shown(shape) + " is no shape");
    const Json dtype = input.value("dtype", Json());
    if (!dtype.is_null() && !(dtype.is_string() && is_dtype(dtype.get<std::string>()))) {
      add("E_DTYPE", "inputs", shown(dtype) + " is no element type");
    }
  }

  void check_engine() {
    auto name = text("engine", true);
    if (name) {
      std::ranges::transform(*name, name->begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const bool starts_well =
          !name->empty() && std::isalnum(static_cast<unsigned char>((*name)[0]));
      constexpr const char* kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789._+-";
      if (!starts_well || name->find_first_not_of(kAllowed) != std::string::npos) {
        add("E_ENGINE", "engine", "\"" + *name + "\" is no engine name");
      }
    }
    if (const auto version = text("engine_version", false)) parse_engine_version(*version, issues_);
    const auto target = text("target", false);
    if (!target) return;
    const auto parsed = parse_tvm_target(*target);
    if (!parsed || !parsed->warnings.empty()) {
      add("W_TARGET", "target", "\"" + target->substr(0, 80) + "\" is no target that is known");
    }
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::Word BenchmarkRecord::*) {
    text(field.name, true);
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::Text BenchmarkRecord::*) {
    text(field.name, false);
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::Whole BenchmarkRecord::*) {
    const Json* value = find(field.name);
    if (value == nullptr) return;
    const auto whole = whole_number(*value);
    if (!value->is_number_integer()) {
      add("E_TYPE", field.name, "integer expected, not " + shown(*value));
    } else if (!whole || *whole < field.minimum.value_or(*whole) ||
               *whole > field.maximum.value_or(*whole)) {
      add("E_RANGE", field.name, shown(*value) + " is out of range");
    }
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::Number BenchmarkRecord::*) {
    const Json* value = find(field.name);
    if (value == nullptr) return;
    if (!value->is_number()) {
      add("E_TYPE", field.name, "number expected, not " + shown(*value));
      return;
    }
    const double number = value->get<double>();
    if (!std::isfinite(number)) {
      add("E_NONFINITE", field.name, "the value is not finite");
    } else if ((field.is_above_zero && number <= 0) ||
               (field.minimum && number < static_cast<double>(*field.minimum))) {
      add("E_NEGATIVE", field.name, shown(*value) + " is no time");
    }
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::Flag BenchmarkRecord::*) {
    const Json* value = find(field.name);
    if (value == nullptr || value->is_boolean()) return;
    add("E_TYPE", field.name, "true or false expected, not " + shown(*value));
  }

  void check_list(const char* field, const char* expected, bool (*is_item)(const Json& entry)) {
    const Json* list = find(field);
    if (list == nullptr || (list->is_array() && std::ranges::all_of(*list, is_item))) return;
    add("E_TYPE", field, std::string("list of ") + expected + " expected, not " + shown(*list));
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::TextList BenchmarkRecord::*) {
    check_list(field.name, "texts", [](const Json& entry) { return entry.is_string(); });
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::NumberList BenchmarkRecord::*) {
    check_list(field.name, "numbers", [](const Json& entry) { return entry.is_number(); });
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::TextMap BenchmarkRecord::*) {
    object(field.name);
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::NumberMap BenchmarkRecord::*) {
    const Json* numbers = object(field.name);
    if (numbers == nullptr) return;
    for (const auto& [key, value] : numbers->items()) {
      if (value.is_number() && std::isfinite(value.get<double>())) continue;
      add("E_METRIC", field.name, key + " is " + shown(value) + ", not a finite number");
    }
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::CountMap BenchmarkRecord::*) {
    const Json* counts = object(field.name);
    if (counts == nullptr) return;
    for (const auto& [key, count] : counts->items()) {
      const auto whole = whole_number(count);
      if (!count.is_number_integer()) {
        add("E_TYPE", field.name, key + " is " + shown(count) + ", integer expected");
      } else if (!whole || *whole < 0) {
        add("E_RANGE", field.name, key + " is " + shown(count));
      }
    }
  }

  void check_kind(const BenchmarkField& field, BenchmarkRecord::Object BenchmarkRecord::*) {
    object(field.name);
  }

  void check_types() {
    for (const BenchmarkField& field : benchmark_fields()) {
      if (field.has_own_check) continue;
      std::visit([&](auto member) { check_kind(field, member); }, field.member);
    }
    const Json* runtime = find("runtime_config");
    if (runtime == nullptr || !runtime->is_object()) return;
    const Json threads = runtime->value("num_cpu_threads", Json());
    if (threads.is_number() && threads < 1) {
      add("E_RANGE", "runtime_config", "num_cpu_threads is " + shown(threads));
    }
  }

  void check_execution() {
    const Json* config = find("execution_config");
    if (config == nullptr) return;
    if (!config->is_object()) {
      add("E_EXEC", "execution_config", "object expected, not " + shown(*config));
      return;
    }
    for (const auto& [key, least] :
         {std::pair("number", 1), std::pair("repeat", 1), std::pair("min_repeat_ms", 0)}) {
      const Json value = config->value(key, Json());
      if (value.is_null()) continue;
      const bool is_beyond = value.is_number_integer() && !whole_number(value);
      if (!value.is_number()) {
        add("E_EXEC", "execution_config", std::string(key) + " is " + shown(value));
      } else if (is_beyond || value < least) {
        add("E_RANGE", "execution_config", std::string(key) + " is " + shown(value));
      }
    }
  }

  void check_times() {
    const Json* status = find("status");
    const bool needs_time = status != nullptr && *status == "ok" && !says_predicted(record_);
    if (needs_time && find("runtime_ms_mean") == nullptr) {
      add("E_MISSING", "runtime_ms_mean", "required when status is ok");
    }
  }

  void check_raw() {
    const Json* raw = find("runtime_raw_ms");
    const auto is_time = [](const Json& entry) {
      return entry.is_number() && std::isfinite(entry.get<double>()) && entry > 0;
    };
    if (raw != nullptr && !(raw->is_array() && std::ranges::all_of(*raw, is_time))) {
      add("E_RAW", "runtime_raw_ms", "list of positive numbers expected");
      raw = nullptr;
    }
    const Json* keys = find("runtime_raw");
    const auto is_object = [](const Json& entry) { return entry.is_object(); };
    if (keys != nullptr && !(keys->is_array() && std::ranges::all_of(*keys, is_object))) {
      add("E_RAW", "runtime_raw", "list of objects expected");
    }
    const Json* count = find("n_samples");
    if (count == nullptr) return;
    const bool is_count = count->is_number_integer() && whole_number(*count).value_or(0) >= 1;
    if (!is_count || (raw != nullptr && *count != raw->size())) {
      add("E_COUNT", "n_samples", shown(*count) + " is not the number of raw times");
    }
  }

  void check_unknown() {
    static const std::vector<std::string> kNames = record_fields();
    const std::set<std::string> known(kNames.begin(), kNames.end());
    for (const auto& [key, value] : record_.items()) {
      if (known.contains(key)) continue;
      add(options_.strict ? "E_UNKNOWN_KEY" : "W_UNKNOWN_KEY", key, "the schema has no such field");
    }
  }

  const Json& record_;
  const ValidationOptions& options_;
  std::vector<RecordIssue> issues_;
};

}  // namespace

std::vector<RecordIssue> validate_record(const Json& record, const ValidationOptions& options) {
  return Validator(record, options).run();
}

bool has_errors(const std::vector<RecordIssue>& issues) {
  return std::ranges::any_of(issues, &RecordIssue::is_error);
}

}  // namespace opbench
