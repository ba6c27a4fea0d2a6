#include "records/formats/logs/metaschedule_decoder.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

namespace opbench {
namespace {

namespace dom = simdjson::dom;

constexpr JsonPlace kMetascheduleDecoderRoot{};
constexpr double kMetascheduleDecoderFailed = 1e10;
constexpr int kUnknownError = 8;

/// ["TENSOR", type, [extents]]
std::optional<Argument> metaschedule_decoder_tensor_of(const dom::element& value,
                                                       const JsonLine& json) {
  const auto items = items_of(value, 3);
  const auto word = items ? string_of((*items)[0]) : std::nullopt;
  const auto type = items ? string_of((*items)[1]) : std::nullopt;
  auto extents = items ? json.argument((*items)[2]) : std::nullopt;
  if (word != "TENSOR" || !type || !extents || extents->kind != ArgumentKind::kTuple) return {};
  return Argument{.kind = ArgumentKind::kTensor, .text = *type, .items = std::move(extents->items)};
}

}  // namespace

std::string MetascheduleDecoder::hash_of(std::string_view workload_line) {
  std::vector<RecordIssue> ignored;
  const Element* value = workload_json_.parse(workload_line, ignored);
  const auto items = value == nullptr ? std::nullopt : items_of(*value, 2);
  return items ? string_of((*items)[0]).value_or("") : "";
}

bool MetascheduleDecoder::read_line(std::string_view line) {
  record_.config = TraceConfig{};
  record_.origin.format = TuningFormat::kMetaschedule;
  const Element* value = json_.parse(line, issues_);
  if (value == nullptr) return false;
  const auto parts = items_of(*value, 2);
  const auto items = parts ? items_of((*parts)[1], 4) : std::nullopt;
  if (!items) {
    return fault("E_INPUT_ARITY", kMetascheduleDecoderRoot,
                 "needs [workload, [trace, run_secs, target, args_info]]");
  }
  if ((*parts)[0].get_int64().get(config().workload_index) != simdjson::SUCCESS) {
    return fault("E_WORKLOAD", kMetascheduleDecoderRoot.item(0),
                 "a workload's index is an integer");
  }
  const JsonPlace place = kMetascheduleDecoderRoot.item(1);
  return read_trace((*items)[0], place.item(0)) && read_times((*items)[1], place.item(1)) &&
         read_json_target((*items)[2], place.item(2)) && read_args_info((*items)[3], place.item(3));
}

bool MetascheduleDecoder::read_workload(std::string_view workload_line) {
  const int64_t index = config().workload_index;
  if (workload_line.empty()) {
    return fault("E_WORKLOAD", kMetascheduleDecoderRoot.item(0),
                 fmt::format("workload {} is not in the file of workloads", index));
  }
  config().workload_hash = hash_of(workload_line);
  if (config().workload_hash.empty()) {
    return fault("E_WORKLOAD", kMetascheduleDecoderRoot.item(0),
                 fmt::format("line {} of the workloads is not [hash, module]", index + 1));
  }
  record_.task = "metaschedule:" + config().workload_hash;
  const size_t comma = workload_line.find(',');
  const size_t begin = workload_line.find('"', std::min(comma, workload_line.size()));
  const size_t end = workload_line.rfind('"');
  if (begin != std::string_view::npos && end > begin) {
    config().workload_module = workload_line.substr(begin + 1, end - begin - 1);
  }
  return true;
}

/// [[instruction…], [[index, decision]…]]; an instruction is [kind, inputs, attributes, outputs].
bool MetascheduleDecoder::read_trace(const Element& value, const JsonPlace& place) {
  const auto parts = items_of(value, 2);
  dom::array instructions;
  dom::array decisions;
  if (!parts || (*parts)[0].get_array().get(instructions) != simdjson::SUCCESS ||
      (*parts)[1].get_array().get(decisions) != simdjson::SUCCESS) {
    return fault("E_TRACE", place, "a trace is [instructions, decisions]");
  }
  const JsonPlace list = place.item(0);
  size_t number = 0;
  size_t before_postprocessing = 0;
  bool is_postprocessing = false;
  for (const Element instruction : instructions) {
    const auto items = items_of(instruction, 4);
    const auto kind = items ? string_of((*items)[0]) : std::nullopt;
    if (!kind) {
      return fault("E_TRACE", list.item(number),
                   "an instruction is [kind, inputs, attributes, outputs]");
    }
    is_postprocessing = is_postprocessing || *kind == "EnterPostproc";
    if (!is_postprocessing) ++before_postprocessing;
    ++number;
  }
  has_instructions_ = before_postprocessing > 0;
  config().trace_json = json_.text_of(place);
  return true;
}

bool MetascheduleDecoder::read_costs(const Element& value, const JsonPlace& place) {
  TuningResult& result = record_.result;
  dom::array times;
  if (value.get_array().get(times) != simdjson::SUCCESS) {
    return fault("E_COSTS", place, "run_secs are a list of numbers, or null");
  }
  size_t number = 0;
  for (const Element time : times) {
    const auto seconds = number_of(time);
    if (!seconds || *seconds <= 0) {
      return fault("E_COSTS", place.item(number),
                   json_.python_text(time) + " is no number above 0");
    }
    if (*seconds >= kMetascheduleDecoderFailed) {
      result.failure_sentinel = seconds;
    } else {
      result.costs_s.push_back(*seconds);
    }
    ++number;
  }
  return true;
}

/// Seconds; [1e10] or null is a failure, and so is a trace without instructions.
bool MetascheduleDecoder::read_times(const Element& value, const JsonPlace& place) {
  TuningResult& result = record_.result;
  config().has_times = !value.is_null();
  if (config().has_times && !read_costs(value, place)) return false;
  if (result.costs_s.empty() || !has_instructions_) {
    result.error_no = kUnknownError;
    if (!result.costs_s.empty()) result.error_message = "the trace has no instructions";
    result.costs_s.clear();
    return true;
  }
  if (result.failure_sentinel) {
    warn("E_SENTINEL", place, "values that stand for failures are dropped");
    result.failure_sentinel.reset();
  }
  return true;
}

bool MetascheduleDecoder::read_json_target(const Element& value, const JsonPlace& place) {
  config().target_json = json_.text_of(place);
  if (value.is_null()) return true;
  if (!value.is_object()) return fault("E_TARGET", place, "a target is an object or null");
  record_.target = config().target_json;
  return check_target(place);
}

bool MetascheduleDecoder::read_args_info(const Element& value, const JsonPlace& place) {
  if (value.is_null()) return true;
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    return fault("E_ARG", place, "args_info is a list or null");
  }
  config().args_info.emplace();
  for (const Element element : array) {
    auto tensor = metaschedule_decoder_tensor_of(element, json_);
    if (!tensor) {
      return fault("E_ARG", place.item(config().args_info->size()),
                   "needs [\"TENSOR\", data type, extents]");
    }
    record_.arguments.push_back({"", *tensor});
    config().args_info->push_back(std::move(*tensor));
  }
  return true;
}

DecodedLine decode_metaschedule(std::string_view line, std::string_view workload_line) {
  return MetascheduleDecoder().decode(line, [&](int64_t) { return workload_line; });
}

}  // namespace opbench
