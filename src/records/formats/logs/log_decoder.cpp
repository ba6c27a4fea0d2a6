#include "records/formats/logs/log_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "machine/target/tvm_target.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;

constexpr double kLogDecoderSentinel = 1e8;  ///< costs from here on stand for failures
constexpr int kLastError = 8;

}  // namespace

void LogDecoder::begin() {
  record_ = TuningRecord{};
  issues_.clear();
}

DecodedLine LogDecoder::end(bool is_good) {
  if (!is_good) return {std::nullopt, std::move(issues_)};
  return {std::move(record_), std::move(issues_)};
}

bool LogDecoder::fault(const std::string& code, const JsonPlace& place,
                       const std::string& message) {
  std::string name = place.text();
  for (const std::string_view arguments : {"input[2]", "i[2]"}) {
    if (name.starts_with(arguments)) name = "args" + name.substr(arguments.size());
  }
  issues_.push_back({code, name, message, json_.column(place)});
  return false;
}

void LogDecoder::warn(const std::string& code, const JsonPlace& place, const std::string& message) {
  fault(code, place, message);
  issues_.back().is_warning = true;
}

bool LogDecoder::read_target(const Element& value, const JsonPlace& place) {
  const std::optional<std::string> text = string_of(value);
  if (!text) return fault("E_TARGET", place, "a target is a text");
  record_.target = *text;
  return check_target(place);
}

bool LogDecoder::check_target(const JsonPlace& place) {
  const std::string& text = record_.target;
  auto known = targets_.find(text);
  if (known == targets_.end()) {
    std::vector<RecordIssue> found;
    const Result<TvmTarget> target = parse_tvm_target(text);
    if (!target) found.push_back({"E_TARGET", "", target.error().message});
    if (target) {
      for (const std::string& warning : target->warnings) {
        found.push_back({"E_TARGET", "", warning, 0, true});
      }
    }
    constexpr size_t kMostTargets = 1000;  // of a log without sense
    if (targets_.size() >= kMostTargets) targets_.clear();
    known = targets_.emplace(text, std::move(found)).first;
  }
  bool is_good = true;
  for (const RecordIssue& issue : known->second) {
    fault(issue.code, place, issue.message);
    issues_.back().is_warning = issue.is_warning;
    is_good = is_good && issue.is_warning;
  }
  return is_good;
}

bool LogDecoder::read_result(const Element& value, const JsonPlace& place) {
  const auto items = items_of(value, 4);
  if (!items) {
    return fault("E_RESULT_ARITY", place, "needs 4 items: costs, error_no, all_cost, timestamp");
  }
  TuningResult& result = record_.result;
  int64_t error_no = 0;
  const bool is_int = (*items)[1].get_int64().get(error_no) == simdjson::SUCCESS;
  if (!is_int || error_no < 0 || error_no > kLastError) {
    return fault("E_ERRNO", place.item(1),
                 "error_no " + json_.python_text((*items)[1]) + " is not one of 0 to 8");
  }
  result.error_no = static_cast<int>(error_no);
  return read_costs((*items)[0], place.item(0)) &&
         read_time((*items)[2], place.item(2), result.all_cost_s, result.all_cost_is_int) &&
         read_time((*items)[3], place.item(3), result.timestamp, result.timestamp_is_int);
}

bool LogDecoder::read_costs(const Element& value, const JsonPlace& place) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS || array.size() == 0) {
    return fault("E_COSTS", place, "costs are a list of at least one number");
  }
  std::vector<double> costs;
  for (const Element element : array) {
    const std::optional<double> cost = number_of(element);
    if (!cost) {
      return fault("E_COSTS", place.item(costs.size()),
                   "cost " + json_.python_text(element) + " is no finite number");
    }
    costs.push_back(*cost);
  }
  return check_costs(std::move(costs), place);
}

bool LogDecoder::check_costs(std::vector<double> costs, const JsonPlace& place) {
  TuningResult& result = record_.result;
  if (result.error_no != 0) {
    result.failure_sentinel = costs.front();
    if (costs.size() > 1 || costs.front() < kLogDecoderSentinel) {
      warn("E_COSTS", place, "costs of a failure are dropped");
    }
    return true;
  }
  for (size_t i = 0; i < costs.size(); ++i) {
    if (costs[i] >= kLogDecoderSentinel) {
      return fault("E_SENTINEL", place.item(i),
                   fmt::format("cost {} stands for a failure, but error_no is 0", costs[i]));
    }
    if (costs[i] <= 0) {
      return fault("E_COSTS", place.item(i), fmt::format("cost {} is not above 0", costs[i]));
    }
  }
  result.costs_s = std::move(costs);
  return true;
}

bool LogDecoder::read_time(const Element& value, const JsonPlace& place,
                           std::optional<double>& time, bool& is_int) {
  time = number_of(value);
  is_int = value.type() != dom::element_type::DOUBLE;
  if (time) return true;
  return fault("E_RESULT_ARITY", place, json_.python_text(value) + " is no number");
}

}  // namespace opbench
