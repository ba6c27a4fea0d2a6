#include <cmath>
#include <limits>

#include "records/json/json_line.h"
#include "records/json/python_json.h"
#include "records/record/tuning_record.h"

namespace opbench {
namespace {

/// Values that Python calls equal get one form: true is 1, 2.0 is 2, a tensor a list.
Argument normalised(const Argument& argument) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  switch (argument.kind) {
    case ArgumentKind::kBool:
      return Argument::of_int(argument.flag ? 1 : 0);
    case ArgumentKind::kDouble:
      if (std::abs(argument.real) <= kExact && argument.real == std::trunc(argument.real)) {
        return Argument::of_int(static_cast<int64_t>(argument.real));
      }
      return argument;
    case ArgumentKind::kTensor:
    case ArgumentKind::kTuple: {
      Argument result = argument;
      for (Argument& item : result.items) item = normalised(item);
      for (Argument& item : result.trailing) item = normalised(item);
      return result;
    }
    default:
      return argument;
  }
}

/// Without blanks outside of strings.
std::string compact(const std::string& text) {
  std::string result;
  bool is_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' && !is_string) continue;
    result += c;
    if (c == '\\' && i + 1 < text.size()) {
      result += text[++i];
    } else if (c == '"') {
      is_string = !is_string;
    }
  }
  return result;
}

}  // namespace

std::string_view name_of(TuningFormat format) {
  switch (format) {
    case TuningFormat::kAutotvm01:
      return "autotvm-0.1";
    case TuningFormat::kAutotvm02:
      return "autotvm-0.2";
    case TuningFormat::kAnsor:
      return "ansor";
    case TuningFormat::kMetaschedule:
      return "metaschedule";
    case TuningFormat::kOpbench:
      return "opbench";
  }
  return "";
}

double mean_cost(const std::vector<double>& costs_s) {
  if (costs_s.empty()) return std::numeric_limits<double>::infinity();
  constexpr size_t kLanes = 8;
  double sum = 0;
  size_t done = 0;
  if (costs_s.size() >= kLanes) {
    double lanes[kLanes];
    for (size_t k = 0; k < kLanes; ++k) lanes[k] = costs_s[k];
    for (done = kLanes; done + kLanes <= costs_s.size(); done += kLanes) {
      for (size_t k = 0; k < kLanes; ++k) lanes[k] += costs_s[done + k];
    }
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
          ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  for (; done < costs_s.size(); ++done) sum += costs_s[done];
  return sum / static_cast<double>(costs_s.size());
}

std::string arguments_key(const TuningRecord& record) {
  std::vector<Argument> items;
  for (const NamedArgument& named : record.arguments) items.push_back(normalised(named.value));
  return compact(python_json(Argument::of_tuple(std::move(items))));
}

Result<std::string> arguments_key(std::string_view json) {
  JsonLine line;
  std::vector<RecordIssue> issues;
  const simdjson::dom::element* value = line.parse(json, issues);
  std::optional<Argument> tuple = value == nullptr ? std::nullopt : line.argument(*value);
  if (!tuple || tuple->kind != ArgumentKind::kTuple) {
    const std::string shown(json.substr(0, 60));
    const std::string reason = issues.empty() ? "" : ": " + issues[0].message;
    return Error{ErrorCode::kInvalidInput,
                 "arguments \"" + shown + "\" are no JSON array" + reason};
  }
  return compact(python_json(normalised(*tuple)));
}

std::string workload_key(const TuningRecord& record) {
  std::string text = "[";
  append_python_string(text, record.task);
  return text + "," + arguments_key(record) + "]";
}

}  // namespace opbench
