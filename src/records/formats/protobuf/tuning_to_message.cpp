#include <proto/tuning_record.pb.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>

#include "machine/target/tvm_target.h"
#include "records/formats/protobuf/protobuf_argument.h"
#include "records/formats/protobuf/tuning_message.h"
#include "records/json/utf8_text.h"

namespace opbench {
namespace {

namespace wire = autotvm::log;
constexpr const char* kSchemaVersion = "0.3.0";

/// The parsed form is for those who cannot parse it.
void write_target(const std::string& text, wire::Target& message) {
  message.set_target_string(to_utf8(text));
  const auto target = parse_tvm_target(text);
  if (!target) return;
  message.set_kind(to_utf8(target->identity.kind));
  for (const std::string& key : target->keys) message.add_keys(to_utf8(key));
  if (target->model != "unknown") message.set_model(to_utf8(target->model));
  for (const auto& [key, value] : target->identity.attributes) {
    (*message.mutable_attrs())[to_utf8(key)] = to_utf8(value);
  }
}

void write_named(const std::vector<NamedArgument>& arguments, auto& field) {
  for (const NamedArgument& argument : arguments) {
    wire::NamedArgument& message = *field.Add();
    message.set_name(to_utf8(argument.name));
    write_argument(argument.value, *message.mutable_value());
  }
}

void write_task(const TuningRecord& record, const ProtobufOptions& options, wire::Task& message) {
  message.set_task_name(to_utf8(record.task));
  write_named(record.arguments, *message.mutable_arguments());
  write_named(record.kwargs, *message.mutable_kwargs());
  if (record.template_key) message.set_template_key(to_utf8(*record.template_key));
  if (record.legacy_workload) {
    write_argument(*record.legacy_workload, *message.mutable_legacy_workload());
  }
  if (!options.seed_compat) return;
  for (size_t i = 0; i < record.arguments.size(); ++i) {
    const std::string& name = record.arguments[i].name;
    auto& place =
        (*message.mutable_args())[name.empty() ? "arg" + std::to_string(i) : to_utf8(name)];
    write_argument(record.arguments[i].value, place);
  }
}

void write_knobs(const std::vector<KnobValue>& knobs, auto& field) {
  for (const KnobValue& knob : knobs) write_knob(knob, *field.Add());
}

void write_knob_config(const KnobConfig& config, wire::Config_v1& message) {
  if (config.code_hash) message.set_code_hash(to_utf8(*config.code_hash));
  message.set_has_code_hash(config.code_hash.has_value());
  write_knobs(config.knobs, *message.mutable_entities());
  if (config.index <= std::numeric_limits<uint32_t>::max()) {
    message.set_index(static_cast<uint32_t>(config.index));
  } else {
    message.set_index64(config.index);
  }
}

void write_kernel_config(const KnobConfig& config, wire::KernelConfig& message) {
  message.set_index(config.index);
  write_knobs(config.knobs, *message.mutable_knobs());
  if (config.code_hash) message.set_code_hash(to_utf8(*config.code_hash));
}

void write_ansor_config(const AnsorConfig& config, wire::AnsorConfig& message) {
  message.set_workload_key(to_utf8(config.workload_key));
  for (const int64_t value : config.hardware_params) message.add_hardware_params(value);
  if (config.target_host) message.set_target_host(to_utf8(*config.target_host));
  if (config.layout_rewrite) message.set_layout_rewrite(*config.layout_rewrite);
  message.set_has_task_inputs(config.task_inputs.has_value());
  for (const std::string& name : config.task_inputs.value_or(std::vector<std::string>{})) {
    message.add_task_inputs(to_utf8(name));
  }
  message.set_task_len(config.task_items);
  for (const AnsorStep& step : config.steps) {
    wire::Step& out = *message.add_steps();
    out.set_kind(to_utf8(step.kind));
    for (const Argument& item : step.items) write_argument(item, *out.add_items());
  }
}

void write_trace_config(const TraceConfig& config, wire::TraceConfig& message) {
  message.set_workload_shash(to_utf8(config.workload_hash));
  message.set_workload_index(config.workload_index);
  message.set_workload_b64(to_utf8(config.workload_module));
  message.set_trace_json(to_utf8(config.trace_json));
  message.set_target_json(to_utf8(config.target_json));
  message.set_run_secs_null(!config.has_times);
  message.set_has_args_info(config.args_info.has_value());
  for (const Argument& tensor : config.args_info.value_or(std::vector<Argument>{})) {
    write_tensor(tensor, *message.add_args_info());
  }
}

void write_config(const TuningRecord& record, wire::Config& message) {
  const bool is_ours = record.origin.format == TuningFormat::kOpbench;
  if (const auto* knobs = std::get_if<KnobConfig>(&record.config)) {
    if (is_ours) return write_kernel_config(*knobs, *message.mutable_kernel());
    return write_knob_config(*knobs, *message.mutable_config_v1());
  }
  if (const auto* ansor = std::get_if<AnsorConfig>(&record.config)) {
    return write_ansor_config(*ansor, *message.mutable_ansor());
  }
  write_trace_config(std::get<TraceConfig>(record.config), *message.mutable_trace());
}

void write_result(const TuningResult& result, const ProtobufOptions& options,
                  wire::Result& message) {
  for (const double cost : result.costs_s) message.add_costs_s(cost);
  message.set_error_no(result.error_no);
  message.set_error_message(to_utf8(result.error_message));
  if (result.all_cost_s) message.set_all_cost_s(*result.all_cost_s);
  if (result.timestamp) {
    message.set_timestamp_unix(*result.timestamp);
    message.set_timestamp(rfc3339_of(*result.timestamp));
  }
  message.set_number_forms((result.all_cost_is_int ? 1U : 0U) |
                           (result.timestamp_is_int ? 2U : 0U));
  if (result.failure_sentinel) message.set_failure_sentinel(*result.failure_sentinel);
  if (!options.seed_compat) return;
  for (const double cost : result.costs_s) message.add_costs(static_cast<float>(cost));
  if (result.failure_sentinel) message.add_costs(static_cast<float>(*result.failure_sentinel));
  message.set_all_cost(static_cast<float>(result.all_cost_s.value_or(0)));
}

wire::Origin::Format format_of(TuningFormat format) {
  switch (format) {
    case TuningFormat::kAutotvm01:
      return wire::Origin::AUTOTVM_01;
    case TuningFormat::kAutotvm02:
      return wire::Origin::AUTOTVM_02;
    case TuningFormat::kAnsor:
      return wire::Origin::ANSOR;
    case TuningFormat::kMetaschedule:
      return wire::Origin::METASCHEDULE;
    case TuningFormat::kOpbench:
      return wire::Origin::OPBENCH;
  }
  return wire::Origin::UNKNOWN;
}

void write_origin(const TuningOrigin& origin, wire::Origin& message) {
  message.set_format(format_of(origin.format));
  message.set_format_version(to_utf8(origin.format_version));
  message.set_file(to_utf8(origin.file));
  message.set_line(origin.line);
  message.set_sha256(to_utf8(origin.sha256));
  for (const std::string& key : origin.key_order) message.add_key_order(to_utf8(key));
  for (const std::string& key : origin.config_order) message.add_config_order(to_utf8(key));
}

}  // namespace

std::string rfc3339_of(double seconds) {
  constexpr double kYear10000 = 253402300800;
  constexpr int64_t kNano = 1'000'000'000;
  if (!(seconds >= 0 && seconds < kYear10000 - 1)) return "";
  auto whole = static_cast<std::time_t>(seconds);
  auto nanoseconds =
      static_cast<int64_t>(std::llround((seconds - static_cast<double>(whole)) * kNano));
  if (nanoseconds >= kNano) {
    nanoseconds -= kNano;
    ++whole;
  }
  std::tm date{};
  gmtime_r(&whole, &date);
  char text[64];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &date);
  char fraction[16];
  std::snprintf(fraction, sizeof fraction, ".%09dZ", static_cast<int>(nanoseconds));
  return std::string(text, length) + fraction;
}

void write_tuning_message(const TuningRecord& record, const ProtobufOptions& options,
                          wire::AutoTVMLog& message) {
  write_target(record.target, *message.mutable_target());
  write_task(record, options, *message.mutable_task());
  write_config(record, *message.mutable_config());
  write_result(record.result, options, *message.mutable_result());
  message.set_version(kSchemaVersion);
  if (record.tvm_version) message.set_tvm_version(to_utf8(*record.tvm_version));
  write_origin(record.origin, *message.mutable_origin());
  message.set_extras_json(to_utf8(record.extras_json));
}

}  // namespace opbench
