#include <proto/tuning_record.pb.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "machine/target/tvm_target.h"
#include "records/formats/protobuf/protobuf_argument.h"
#include "records/formats/protobuf/tuning_message.h"
#include "records/record/knob_rules.h"

namespace opbench {
namespace {

namespace wire = autotvm::log;
using Issues = std::vector<RecordIssue>;

/// What no measured time reaches and failures are written as.
constexpr double kTuningFromMessageSentinel = 1e8;

std::vector<NamedArgument> read_named(const auto& field, const std::string& path, Issues& issues) {
  std::vector<NamedArgument> arguments;
  for (const wire::NamedArgument& message : field) {
    const std::string place = path + "[" + std::to_string(arguments.size()) + "]";
    arguments.push_back({message.name(), read_argument(message.value(), place, issues)});
  }
  return arguments;
}

/// The number in `arg7`; -1 for other names.
int64_t position_of(const std::string& name) {
  int64_t position = -1;
  if (!name.starts_with("arg")) return -1;
  const auto [end, fault] = std::from_chars(name.data() + 3, name.data() + name.size(), position);
  return fault == std::errc() && end == name.data() + name.size() ? position : -1;
}

/// Arguments of the draft have names and no order: `arg0`, `arg1`, … stand for positions, others
/// are sorted.
std::vector<NamedArgument> read_draft_arguments(const wire::Task& message, Issues& issues) {
  std::vector<NamedArgument> arguments;
  for (const auto& [name, value] : message.args()) {
    arguments.push_back({name, read_argument(value, "args." + name, issues)});
  }
  std::ranges::sort(arguments, {}, [](const NamedArgument& argument) {
    return std::pair(position_of(argument.name), argument.name);
  });
  bool is_ordered = true;
  for (NamedArgument& argument : arguments) {
    if (position_of(argument.name) < 0) {
      is_ordered = false;
    } else {
      argument.name.clear();
    }
  }
  if (!is_ordered) {
    issues.push_back({"W_ARG_ORDER", "task.args", "arguments by name only, sorted by it"});
  }
  return arguments;
}

void read_task(const wire::Task& message, TuningRecord& record, Issues& issues) {
  record.task = message.task_name();
  if (record.task.empty()) issues.push_back({"E_KEYS", "task.task_name", "the task has no name"});
  record.arguments = message.arguments().empty() && !message.args().empty()
                         ? read_draft_arguments(message, issues)
                         : read_named(message.arguments(), "args", issues);
  record.kwargs = read_named(message.kwargs(), "kwargs", issues);
  if (message.has_template_key()) record.template_key = message.template_key();
  if (message.has_legacy_workload()) {
    record.legacy_workload = read_argument(message.legacy_workload(), "legacy_workload", issues);
  }
}

std::vector<KnobValue> read_knobs(const auto& field, Issues& issues) {
  std::vector<KnobValue> knobs;
  for (const wire::Entity& entity : field) {
    const std::string place = "config.entities[" + std::to_string(knobs.size()) + "]";
    const size_t known = issues.size();
    knobs.push_back(read_knob(entity, place, issues));
    const KnobFault fault = check_knob(knobs.back());
    if (!fault.code.empty() && issues.size() == known) {
      issues.push_back({fault.code, place, fault.message});
    }
  }
  return knobs;
}

KnobConfig read_knob_config(const wire::Config_v1& message, Issues& issues) {
  KnobConfig config;
  config.index = message.index64() != 0 ? message.index64() : message.index();
  if (message.has_code_hash() || !message.code_hash().empty()) {
    config.code_hash = message.code_hash();
  }
  config.knobs = read_knobs(message.entities(), issues);
  return config;
}

KnobConfig read_kernel_config(const wire::KernelConfig& message, Issues& issues) {
  KnobConfig config{.index = message.index(), .knobs = read_knobs(message.knobs(), issues)};
  if (message.has_code_hash()) config.code_hash = message.code_hash();
  return config;
}

AnsorConfig read_ansor_config(const wire::AnsorConfig& message, Issues& issues) {
  AnsorConfig config;
  config.workload_key = message.workload_key();
  config.hardware_params.assign(message.hardware_params().begin(), message.hardware_params().end());
  if (message.has_target_host()) config.target_host = message.target_host();
  if (message.has_layout_rewrite()) config.layout_rewrite = message.layout_rewrite();
  if (message.has_task_inputs() || !message.task_inputs().empty()) {
    config.task_inputs.emplace(message.task_inputs().begin(), message.task_inputs().end());
  }
  config.task_items = message.task_len();
  for (const wire::Step& step : message.steps()) {
    AnsorStep& out = config.steps.emplace_back(AnsorStep{.kind = step.kind()});
    for (const wire::Argument& item : step.items()) {
      out.items.push_back(read_argument(item, "config.steps", issues));
    }
  }
  return config;
}

TraceConfig read_trace_config(const wire::TraceConfig& message, Issues& issues) {
  TraceConfig config;
  config.workload_index = message.workload_index();
  config.workload_hash = message.workload_shash();
  config.workload_module = message.workload_b64();
  config.trace_json = message.trace_json();
  config.target_json = message.target_json();
  config.has_times = !message.run_secs_null();
  if (message.has_args_info() || !message.args_info().empty()) config.args_info.emplace();
  for (const wire::Tensor& tensor : message.args_info()) {
    config.args_info->push_back(read_tensor(tensor, "config.args_info", issues));
  }
  return config;
}

void read_config(const wire::Config& message, TuningRecord& record, Issues& issues) {
  switch (message.config_case()) {
    case wire::Config::kConfigV1:
      record.config = read_knob_config(message.config_v1(), issues);
      return;
    case wire::Config::kAnsor:
      record.config = read_ansor_config(message.ansor(), issues);
      return;
    case wire::Config::kTrace:
      record.config = read_trace_config(message.trace(), issues);
      return;
    case wire::Config::kKernel:
      record.config = read_kernel_config(message.kernel(), issues);
      return;
    case wire::Config::CONFIG_NOT_SET:
      issues.push_back({"E_KEYS", "config", "the record has no config"});
  }
}

/// Costs of the draft, where a failure has one that stands for none.
void read_draft_costs(const wire::Result& message, TuningResult& result) {
  for (const float cost : message.costs()) result.costs_s.push_back(cost);
  if (result.error_no != 0 && result.costs_s.size() == 1 &&
      result.costs_s.front() >= kTuningFromMessageSentinel) {
    result.failure_sentinel = result.costs_s.front();
    result.costs_s.clear();
  }
}

void check_costs(const TuningResult& result, Issues& issues) {
  const auto add = [&](const char* code, const std::string& message) {
    issues.push_back({code, "result.costs", message});
  };
  if (result.error_no != 0) {
    if (!result.costs_s.empty()) add("E_COSTS", "a failure has costs");
    return;
  }
  if (result.costs_s.empty()) add("E_COSTS", "no costs, and no error");
  for (const double cost : result.costs_s) {
    if (!std::isfinite(cost) || cost <= 0) {
      return add("E_COSTS", std::to_string(cost) + " is no time");
    }
    if (cost >= kTuningFromMessageSentinel)
      return add("E_SENTINEL", "a failure's cost without an error number");
  }
}

void read_result(const wire::Result& message, TuningResult& result, Issues& issues) {
  result.error_no = message.error_no();
  if (result.error_no < 0 || result.error_no > 8) {
    issues.push_back(
        {"E_ERRNO", "result.error_no", std::to_string(result.error_no) + " is not 0 to 8"});
  }
  result.error_message = message.error_message();
  result.costs_s.assign(message.costs_s().begin(), message.costs_s().end());
  if (message.has_failure_sentinel()) result.failure_sentinel = message.failure_sentinel();
  const bool is_draft = message.costs_s().empty() && !message.has_failure_sentinel();
  if (is_draft) read_draft_costs(message, result);
  check_costs(result, issues);
  if (message.has_all_cost_s()) {
    result.all_cost_s = message.all_cost_s();
  } else if (message.all_cost() != 0) {
    result.all_cost_s = message.all_cost();
  }
  if (message.has_timestamp_unix()) {
    result.timestamp = message.timestamp_unix();
  } else if (!message.timestamp().empty()) {
    result.timestamp = seconds_of(message.timestamp(), issues);
  }
  result.all_cost_is_int = (message.number_forms() & 1U) != 0;
  result.timestamp_is_int = (message.number_forms() & 2U) != 0;
}

void read_origin(const wire::AutoTVMLog& log, TuningOrigin& origin, Issues& issues) {
  const wire::Origin& message = log.origin();
  switch (message.format()) {
    case wire::Origin::UNKNOWN:  // the draft, which holds records of AutoTVM
    case wire::Origin::AUTOTVM_02:
      origin.format = TuningFormat::kAutotvm02;
      break;
    case wire::Origin::AUTOTVM_01:
      origin.format = TuningFormat::kAutotvm01;
      break;
    case wire::Origin::ANSOR:
      origin.format = TuningFormat::kAnsor;
      break;
    case wire::Origin::METASCHEDULE:
      origin.format = TuningFormat::kMetaschedule;
      break;
    case wire::Origin::OPBENCH:
      origin.format = TuningFormat::kOpbench;
      break;
    default:
      issues.push_back({"E_VERSION", "origin.format",
                        std::to_string(message.format()) + " is no format that is known"});
  }
  origin.format_version = message.format_version();
  origin.file = message.file();
  origin.line = message.line();
  origin.sha256 = message.sha256();
  origin.key_order.assign(message.key_order().begin(), message.key_order().end());
  origin.config_order.assign(message.config_order().begin(), message.config_order().end());
}

/// As the logs' decoders do: what TVM would refuse and we keep is no error.
void check_target(const std::string& text, Issues& issues) {
  const auto target = parse_tvm_target(text);
  if (!target) {
    issues.push_back({"E_TARGET", "target", target.error().message});
    return;
  }
  for (const std::string& warning : target->warnings) {
    issues.push_back(
        {.code = "E_TARGET", .field = "target", .message = warning, .is_warning = true});
  }
}

/// What is read past, one warning each.
void name_what_is_lost(const wire::AutoTVMLog& message, Issues& issues) {
  const auto warn = [&](bool is_there, const char* field) {
    if (is_there) issues.push_back({"W_UNKNOWN_KEY", field, "a record has no place for it"});
  };
  warn(message.has_environment(), "environment");
  warn(message.result().has_samples(), "result.samples");
  warn(!message.origin().raw().empty(), "origin.raw");
  warn(!message.origin().comments_before().empty(), "origin.comments_before");
  warn(!message.GetReflection()->GetUnknownFields(message).empty(), "");
}

}  // namespace

std::optional<double> seconds_of(std::string_view rfc3339, Issues& issues) {
  const size_t point = rfc3339.find('.');
  std::string whole(rfc3339);
  double fraction = 0;
  if (point != std::string_view::npos) {
    const size_t end = rfc3339.find_first_not_of("0123456789", point + 1);
    fraction = std::strtod(("0" + whole.substr(point, end - point)).c_str(), nullptr);
    whole.erase(point, std::min(end, whole.size()) - point);
  }
  const auto moment = parse_timestamp(whole, std::numeric_limits<int64_t>::max() / 2, issues);
  if (!moment) return {};
  constexpr double kMicro = 1e6;
  return static_cast<double>(*moment) / kMicro + fraction;
}

TuningRecord read_tuning_message(const wire::AutoTVMLog& message, Issues& issues) {
  TuningRecord record;
  const auto has = [&](bool is_there, const char* field) {
    if (!is_there) issues.push_back({"E_KEYS", field, "the record does not have it"});
    return is_there;
  };
  if (!message.version().starts_with("0.")) {
    issues.push_back(
        {"E_VERSION", "version", "got \"" + message.version() + "\", can read 0.2.0 and 0.3.0"});
  }
  record.target = message.target().target_string();
  if (has(message.has_target(), "target")) check_target(record.target, issues);
  if (has(message.has_task(), "task")) read_task(message.task(), record, issues);
  if (has(message.has_config(), "config")) read_config(message.config(), record, issues);
  if (has(message.has_result(), "result")) read_result(message.result(), record.result, issues);
  if (message.has_tvm_version()) record.tvm_version = message.tvm_version();
  record.extras_json = message.extras_json();
  read_origin(message, record.origin, issues);
  name_what_is_lost(message, issues);
  return record;
}

}  // namespace opbench
