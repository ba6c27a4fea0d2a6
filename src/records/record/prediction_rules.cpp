#include "records/record/prediction_rules.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace opbench {
namespace {

constexpr const char* kField = "prediction";

const Json* find(const Json& object, const char* name) {
  const auto value = object.find(name);
  return value == object.end() || value->is_null() ? nullptr : &*value;
}

std::string shown(const Json& value) { return value.dump().substr(0, 80); }

/// The members of the object `prediction`.
class Members {
 public:
  Members(const Json& prediction, std::vector<RecordIssue>& issues)
      : prediction_(prediction), issues_(issues) {}

  void check() {
    check_predictor();
    const auto median = positive("median_ms", true);
    const auto low = positive("low_ms", false);
    const auto high = positive("high_ms", false);
    positive("isolated_ms", false);
    if (median && ((low && *low > *median) || (high && *high < *median))) {
      add("E_RANGE", "median_ms lies outside of low_ms and high_ms");
    }
    const auto percent = positive("interval_percent", false);
    constexpr double kAll = 100;
    if (percent && *percent >= kAll) add("E_RANGE", "interval_percent is not below 100");
    for (const char* name : {"in_range", "is_lower_bound"}) {
      const Json* value = find(prediction_, name);
      if (value != nullptr && !value->is_boolean()) wrong_type(name, "true or false", *value);
    }
    const Json* reason = find(prediction_, "in_range_reason");
    if (reason != nullptr && !reason->is_string()) wrong_type("in_range_reason", "text", *reason);
  }

 private:
  void add(const char* code, const std::string& message) {
    issues_.push_back({code, kField, message});
  }

  void wrong_type(const std::string& name, const std::string& expected, const Json& value) {
    add("E_TYPE", name + " is " + shown(value) + ", " + expected + " expected");
  }

  void check_predictor() {
    const Json* predictor = find(prediction_, "predictor");
    if (predictor == nullptr) {
      add("E_MISSING", "the predictor's id is required");
    } else if (!predictor->is_string() || predictor->get<std::string>().empty()) {
      wrong_type("predictor", "the predictor's id", *predictor);
    }
  }

  std::optional<double> positive(const std::string& name, bool is_required) {
    const Json* value = find(prediction_, name.c_str());
    if (value == nullptr) {
      if (is_required) add("E_MISSING", name + " is required");
      return {};
    }
    if (!value->is_number()) {
      wrong_type(name, "a number", *value);
      return {};
    }
    const double number = value->get<double>();
    if (!std::isfinite(number)) {
      add("E_NONFINITE", name + " is not finite");
    } else if (number <= 0) {
      add("E_NEGATIVE", name + " is " + shown(*value));
    } else {
      return number;
    }
    return {};
  }

  const Json& prediction_;
  std::vector<RecordIssue>& issues_;
};

/// What only a run can tell.
bool is_of_a_run(const std::string& field) {
  return field.starts_with("runtime_ms") || field.starts_with("runtime_raw") ||
         field == "n_samples";
}

}  // namespace

bool says_predicted(const Json& record) {
  const Json* kind = find(record, "kind");
  return kind != nullptr && *kind == "predicted";
}

void check_prediction(const Json& record, std::vector<RecordIssue>& issues) {
  const Json* kind = find(record, "kind");
  if (kind != nullptr && *kind != "measured" && *kind != "predicted") {
    issues.push_back({"E_KIND", "kind", "measured or predicted expected, not " + shown(*kind)});
  }
  const Json* prediction = find(record, kField);
  if (!says_predicted(record)) {
    if (prediction == nullptr) return;
    issues.push_back({"E_KIND", kField, "only a record of kind \"predicted\" has one"});
    return;
  }
  for (const auto& [field, value] : record.items()) {
    if (value.is_null() || !is_of_a_run(field)) continue;
    issues.push_back({"E_KIND", field, "a predicted record has no measured time"});
  }
  if (find(record, "status") != nullptr && *find(record, "status") == "error") {
    issues.push_back({"E_STATUS_MISMATCH", "status", "a predicted record has a time"});
  }
  if (prediction == nullptr) {
    issues.push_back({"E_MISSING", kField, "required when kind is predicted"});
  } else if (!prediction->is_object()) {
    issues.push_back({"E_TYPE", kField, "object expected, not " + shown(*prediction)});
  } else {
    Members(*prediction, issues).check();
  }
}

}  // namespace opbench
