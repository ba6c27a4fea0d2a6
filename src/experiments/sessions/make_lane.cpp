#include "experiments/sessions/make_lane.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/json/json_text.h"
#include "base/text/printable.h"
#include "engines/catalog/engine_command.h"
#include "engines/catalog/prepare_extents.h"
#include "experiments/sessions/model/model_file.h"
#include "experiments/sessions/request/fault_request.h"
#include "experiments/sessions/workload_lane.h"
#include "machine/target/cpu_cap.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

// Unlike the other faults this one leaves times that look like any other.
void warn_of_slowdown(const std::string& fault, std::vector<std::string>& warnings) {
  const size_t split = fault.find("=slow-");
  if (split == std::string::npos) return;
  warnings.push_back(fmt::format("unit {} is made slow on purpose (--inject-fault {})",
                                 fault.substr(0, split), fault));
}

void warn_of_wider_code(const EngineDef& engine, std::vector<std::string>& warnings) {
  const auto cap = cpu_cap();
  if (!cap || engine.follows_cpu_cap) return;
  warnings.push_back(fmt::format(
      "nothing holds {} to {} (OPBENCH_CPU): it may use all that this CPU has", engine.name, *cap));
}

/// True if inputs that `spec` gives became constants of the model.
bool fixes_inputs(const LaneInputs& inputs) {
  return std::ranges::any_of(inputs.spec.inputs, [&](const auto& given) {
    return std::ranges::count(inputs.model.graph.inputs, given.first, &Value::name) == 0;
  });
}

Result<PreparedModel> model_as_onnx(const LaneInputs& inputs) {
  const ModelSpec& spec = inputs.spec;
  const bool is_as_read =
      !spec.is_zoo && spec.workload.empty() && !spec.randomize_weights && !fixes_inputs(inputs);
  if (is_as_read) {
    OPBENCH_TRY(const RemoteModel read, model_file(spec, inputs.hooks));
    const auto file = std::filesystem::absolute(read.file);
    // The protocol is JSON, which cannot hold other bytes: such an engine gets a copy.
    if (is_utf8(file.string())) return PreparedModel{"onnx", file, {}, {}};
  }
  PreparedModel prepared{"onnx", inputs.folder / "model.onnx", {}, {}};
  if (!std::filesystem::exists(prepared.path))
    OPBENCH_CHECK(write_onnx(inputs.model, prepared.path));
  return prepared;
}

/// Refuses kernels of which none is for this model.
Result<void> check_choices(const Lane& lane) {
  const auto choice =
      std::ranges::find_if(lane.options.kernels, [&](const KernelChoice& candidate) {
        return candidate.threads == 0 || candidate.threads == lane.options.threads;
      });
  const bool has_choices = lane.definition.takes_packages && choice != lane.options.kernels.end();
  const bool takes_one = std::ranges::any_of(
      lane.units, [](const PreparedUnit& unit) { return !unit.origin.empty(); });
  if (!has_choices || takes_one) return {};
  Error error = Error{ErrorCode::kInvalidInput, "the tuning log has no kernel for this model"}
                    .with("it is of", choice->workload)
                    .with("first unit here", lane.units.front().workload
                                                 ? text_of(*lane.units.front().workload)
                                                 : lane.units.front().operator_text);
  if (choice->is_for_similar) return error;
  return std::move(error).with("to take that of the nearest shape", "--tuning-match nearest");
}

/// Tells models apart by their nodes and constants, whatever their extents; empty where the
/// extents or `spec` make constants.
std::string identity_of(const LaneInputs& inputs) {
  const ModelSpec& spec = inputs.spec;
  const bool is_as_read = spec.workload.empty() && !spec.randomize_weights && !fixes_inputs(inputs);
  return is_as_read ? inputs.model.sha256 : "";
}

Result<PreparedModel> prepare(const Lane& lane, const LaneInputs& inputs, PackageKeeper* keeper) {
  const EngineDef& engine = lane.definition;
  if (engine.prepare_model == nullptr) return model_as_onnx(inputs);
  const std::string identity = identity_of(inputs);
  const bool is_kept = keeper != nullptr && engine.takes_packages && !identity.empty() &&
                       has_free_extents(lane.options.executor);
  if (!is_kept) return engine.prepare_model(inputs.model, lane.options);
  OPBENCH_TRY(PackageSeries* const series, keeper->series_of(identity, lane.options.fusion));
  return prepare_extents(inputs.model, lane.options, *series);
}

Result<void> add_model(Lane& lane, const LaneInputs& inputs, PackageKeeper* keeper) {
  OPBENCH_TRY(PreparedModel prepared, prepare(lane, inputs, keeper));
  Json params = {{"kind", prepared.kind},
                 {"path", prepared.path.string()},
                 {"inputs", inputs.input_files},
                 {"profile", true}};
  const std::string& executor = inputs.variant.settings.executor;
  if (std::ranges::count(lane.definition.executors, executor) > 0) params["executor"] = executor;
  if (lane.definition.injects_faults) add_fault(inputs.measure.inject_fault, params);
  lane.setup.preparations.push_back({kModelPreparation, json_text(params), kPrepareLimit});
  if (const auto& memory = prepared.memory; memory) {
    lane.result.model.memory = PlannedMemory{memory->values, memory->live, memory->weights};
  }
  lane.units = std::move(prepared.units);
  lane.groups = group_units(lane.units);
  OPBENCH_CHECK(check_choices(lane));
  for (UnitGroup& group : lane.groups) {
    group.preparation = kModelPreparation;
    group.unit_id = lane.units[group.members.front()].id;
  }
  lane.warnings = std::move(prepared.warnings);
  if (lane.definition.injects_faults) {
    warn_of_slowdown(inputs.measure.inject_fault, lane.warnings);
  }
  return {};
}

}  // namespace

Result<EngineDef> find_engine(const std::vector<UserEngine>& user_engines,
                              const std::string& name) {
  std::vector<std::string> known = engine_table().names();
  for (const UserEngine& engine : user_engines) {
    if (engine.name == name && !engine.command.empty())
      return engine_of_command(name, engine.command);
    if (!engine.command.empty()) known.push_back(engine.name);
  }
  const auto found = engine_table().find(name);
  if (!found) return unknown_name("engine", name, known);
  if (const auto reason = (*found)->unavailable(); reason) {
    return Error{ErrorCode::kEnvironment, fmt::format("engine \"{}\" cannot be used here", name)}
        .with("reason", *reason);
  }
  return **found;
}

void add_settings(const std::vector<UserEngine>& user_engines, const std::string& name,
                  EngineOptions& options) {
  for (const UserEngine& user : user_engines) {
    if (user.name != name) continue;
    options.command = user.command;
    options.settings = user.settings;
  }
}

Result<Lane> make_lane(const EngineDef& definition, EngineOptions options, const LaneInputs& inputs,
                       PackageKeeper* keeper) {
  Lane lane;
  lane.variant = inputs.variant;
  lane.seed = inputs.spec.seed;
  lane.cache = inputs.measure.cache;
  lane.definition = definition;
  lane.options = std::move(options);
  lane.result.engine = definition.name;
  lane.result.threads = lane.options.threads;
  lane.result.cpus = lane.options.cpus;
  lane.setup.start = process_starter(definition.command(lane.options), inputs.spec.seed);
  lane.setup.threads = lane.options.threads;
  lane.setup.cache = name_of(lane.cache);
  lane.setup.cpus = lane.options.cpus;
  if (definition.runs_models) {
    OPBENCH_CHECK(add_model(lane, inputs, keeper));
  } else {
    lane.has_model = false;
    lane.result.model.end_to_end_reason =
        fmt::format("{} runs single workloads, not models", definition.name);
  }
  const bool has_own_units = definition.runs_models && inputs.units == UnitKind::kOwn;
  if (!has_own_units) OPBENCH_CHECK(add_workloads(lane, inputs));
  warn_of_wider_code(definition, lane.warnings);
  return lane;
}

}  // namespace opbench
