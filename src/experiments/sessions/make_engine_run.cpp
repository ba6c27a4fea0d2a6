#include "experiments/sessions/make_engine_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/json/json_text.h"
#include "base/text/printable.h"
#include "engines/catalog/emulator.h"
#include "engines/catalog/engine_command.h"
#include "engines/catalog/prepare_extents.h"
#include "experiments/sessions/model/model_file.h"
#include "experiments/sessions/request/fault_request.h"
#include "experiments/sessions/run_code.h"
#include "experiments/sessions/workload_units.h"
#include "machine/target/cpu_cap.h"
#include "machine/target/cuda_arch.h"
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

void warn_of_older_ptx(EngineRun& engine_run) {
  if (!engine_run.asked.definition.takes_packages) return;
  std::string note = ptx_note(engine_run.asked.options.target);
  if (!note.empty()) engine_run.built.warnings.push_back(std::move(note));
}

/// True if inputs that `spec` gives became constants of the model.
bool fixes_inputs(const RunInputs& inputs) {
  return std::ranges::any_of(inputs.spec.inputs, [&](const auto& given) {
    return std::ranges::count(inputs.model.graph.inputs, given.first, &Value::name) == 0;
  });
}

Result<PreparedModel> model_as_onnx(const RunInputs& inputs) {
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
Result<void> check_choices(const EngineRun& engine_run) {
  const auto choice =
      std::ranges::find_if(engine_run.asked.options.kernels, [&](const KernelChoice& candidate) {
        return candidate.threads == 0 || candidate.threads == engine_run.asked.options.threads;
      });
  const bool has_choices = engine_run.asked.definition.takes_packages &&
                           choice != engine_run.asked.options.kernels.end();
  const bool takes_one = std::ranges::any_of(engine_run.built.units, [](const PreparedUnit& unit) {
    return !unit.identity.origin.empty();
  });
  if (!has_choices || takes_one) return {};
  Error error =
      Error{ErrorCode::kInvalidInput, "the tuning log has no kernel for this model"}
          .with("it is of", choice->workload)
          .with("first unit here", engine_run.built.units.front().identity.workload
                                       ? text_of(*engine_run.built.units.front().identity.workload)
                                       : engine_run.built.units.front().identity.operator_text);
  if (choice->is_for_similar) return error;
  return std::move(error).with("to take that of the nearest shape", "--tuning-match nearest");
}

/// Tells models apart by their nodes and constants, whatever their extents; empty where the
/// extents or `spec` make constants.
std::string identity_of(const RunInputs& inputs) {
  const ModelSpec& spec = inputs.spec;
  const bool is_as_read = spec.workload.empty() && !spec.randomize_weights && !fixes_inputs(inputs);
  return is_as_read ? inputs.model.sha256 : "";
}

Result<PreparedModel> prepare(const EngineRun& engine_run, const RunInputs& inputs,
                              PackageKeeper* keeper) {
  const EngineDef& engine = engine_run.asked.definition;
  if (engine.prepare_model == nullptr) return model_as_onnx(inputs);
  const std::string identity = identity_of(inputs);
  const bool is_kept = keeper != nullptr && engine.takes_packages && !identity.empty() &&
                       has_free_extents(engine_run.asked.options.executor);
  if (!is_kept) return engine.prepare_model(inputs.model, engine_run.asked.options);
  OPBENCH_TRY(PackageSeries* const series,
              keeper->series_of(identity, engine_run.asked.options.fusion));
  return prepare_extents(inputs.model, engine_run.asked.options, *series);
}

Result<void> add_model(EngineRun& engine_run, const RunInputs& inputs, PackageKeeper* keeper) {
  OPBENCH_TRY(PreparedModel prepared, prepare(engine_run, inputs, keeper));
  Json params = {{"kind", prepared.kind},
                 {"path", prepared.path.string()},
                 {"inputs", inputs.input_files},
                 {"profile", true}};
  const std::string& executor = inputs.variant.settings.executor;
  if (std::ranges::count(engine_run.asked.definition.executors, executor) > 0)
    params["executor"] = executor;
  if (engine_run.asked.definition.injects_faults) add_fault(inputs.measure.inject_fault, params);
  engine_run.built.setup.preparations.push_back(
      {kModelPreparation, json_text(params), kPrepareLimit});
  if (const auto& memory = prepared.memory; memory) {
    engine_run.found.result.model.memory =
        PlannedMemory{memory->values, memory->live, memory->weights};
  }
  engine_run.built.units = std::move(prepared.units);
  note_program(std::move(prepared.code_hash), inputs, engine_run);
  engine_run.built.groups = group_units(engine_run.built.units);
  OPBENCH_CHECK(check_choices(engine_run));
  for (UnitGroup& group : engine_run.built.groups) {
    group.preparation = kModelPreparation;
    group.unit_id = engine_run.built.units[group.members.front()].id;
  }
  engine_run.built.warnings = std::move(prepared.warnings);
  if (engine_run.asked.definition.injects_faults) {
    warn_of_slowdown(inputs.measure.inject_fault, engine_run.built.warnings);
  }
  return {};
}

/// Kernels for another machine run in an emulator.
Result<void> note_emulator(EngineRun& engine_run) {
  if (!engine_run.asked.definition.takes_packages) return {};
  OPBENCH_TRY(const std::optional<Emulator> emulator, emulator_of(engine_run.asked.options.target));
  if (!emulator) return {};
  engine_run.found.result.emulator = emulator->name;
  engine_run.built.setup.clock = TimeClock::kEmulated;
  return {};
}

void warn_of_emulation(EngineRun& engine_run) {
  const std::string& emulator = engine_run.found.result.emulator;
  if (emulator.empty()) return;
  engine_run.built.warnings.push_back(
      fmt::format("{} runs in {}: its results count, its times say nothing of the target, and are "
                  "compared with none",
                  engine_run.asked.definition.name, emulator));
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

Result<EngineRun> make_engine_run(const EngineDef& definition, EngineOptions options,
                                  const RunInputs& inputs, PackageKeeper* keeper) {
  EngineRun engine_run;
  engine_run.asked.variant = inputs.variant;
  engine_run.asked.seed = inputs.spec.seed;
  engine_run.asked.cache = inputs.measure.cache;
  engine_run.asked.definition = definition;
  engine_run.asked.options = std::move(options);
  engine_run.found.result.engine = definition.name;
  engine_run.found.result.threads = engine_run.asked.options.threads;
  engine_run.found.result.cpus = engine_run.asked.options.cpus;
  engine_run.built.setup.start =
      process_starter(definition.command(engine_run.asked.options), inputs.spec.seed);
  engine_run.built.setup.threads = engine_run.asked.options.threads;
  engine_run.built.setup.cache = name_of(engine_run.asked.cache);
  engine_run.built.setup.cpus = engine_run.asked.options.cpus;
  OPBENCH_CHECK(note_emulator(engine_run));
  if (definition.runs_models) {
    OPBENCH_CHECK(add_model(engine_run, inputs, keeper));
  } else {
    note_program("", inputs, engine_run);
    engine_run.built.has_model = false;
    engine_run.found.result.model.end_to_end_reason =
        fmt::format("{} runs single workloads, not models", definition.name);
  }
  const bool has_own_units = definition.runs_models && inputs.units == UnitKind::kOwn;
  if (!has_own_units) OPBENCH_CHECK(add_workloads(engine_run, inputs));
  warn_of_wider_code(definition, engine_run.built.warnings);
  warn_of_emulation(engine_run);
  warn_of_older_ptx(engine_run);
  return engine_run;
}

}  // namespace opbench
