#include "experiments/compare/prepared_variant.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "experiments/sessions/model/memory_need.h"
#include "experiments/sessions/rows.h"
#include "machine/facts/build_info.h"
#include "prediction/costs/expected_seconds.h"

namespace opbench {
namespace {

std::vector<VariantValue> values_of(const std::vector<Value>& values, const Graph& graph) {
  std::vector<VariantValue> result;
  for (const Value& value : values) {
    VariantValue known{value.name, std::string(name_of(value.data_type)), {}};
    const auto type = graph.types.find(value.name);
    if (type != graph.types.end()) known.shape = type->second.shape;
    result.push_back(std::move(known));
  }
  return result;
}

VariantUnit unit_of(const EngineRun& engine_run, const UnitGroup& group) {
  UnitResult row = untimed_row(engine_run, group);
  VariantUnit unit;
  unit.identity = std::move(row.identity);
  unit.count = row.count;
  if (unit.identity.workload) unit.expected_s = expected_seconds(*unit.identity.workload);
  unit.preparation = group.preparation;
  unit.unit_id = group.unit_id;
  unit.failure = group.failure;
  unit.remark = row.remark;
  unit.audit = group.audit;
  return unit;
}

PreparedVariant side_of(EngineRun& engine_run, const Session& session,
                        std::vector<Preparation> preparations) {
  PreparedVariant side;
  const EngineResult& result = engine_run.found.result;
  const Model& model = session.model();
  side.info = {.label = result.engine,
               .engine = result.engine,
               .version = result.version,
               .versions = result.versions,
               .build = {},
               .program_version = build_info().version,
               .commit = commit_text(build_info()),
               .threads = result.threads,
               .cpus = result.cpus,
               .batch_size = std::max<int64_t>(session.spec().extents.batch_size, 1),
               .call_floor_ms = result.call_floor_ms,
               .device = result.device,
               .emulator = result.emulator,
               .check = result.check};
  side.model = model.name;
  side.source = model.source;
  side.sha256 = model.sha256;
  side.target = display_text(engine_run.asked.options.target);
  side.cache = engine_run.built.setup.cache;
  side.inputs = values_of(model.graph.inputs, model.graph);
  side.outputs = values_of(model.graph.outputs, model.graph);
  side.command = engine_run.asked.definition.command(engine_run.asked.options);
  side.preparations = std::move(preparations);
  for (const UnitGroup& group : engine_run.built.groups)
    side.units.push_back(unit_of(engine_run, group));
  side.runs_models = engine_run.built.has_model;
  side.model_reason = result.model.end_to_end_reason;
  if (is_refused(result.engine, result.check))
    side.model_reason = "its result is wrong: " + result.check.reason;
  side.has_model = engine_run.built.has_model && side.model_reason.empty();
  side.model_bytes = weight_bytes(model.graph);
  side.warnings = std::move(engine_run.built.warnings);
  side.model_audit = engine_run.built.model_audit;
  return side;
}

}  // namespace

Result<std::vector<PreparedVariant>> prepared_variants(Session& session) {
  if (!session.refused().empty()) return session.refused().front().error;
  OPBENCH_TRY(const std::string unchecked, session.check());
  session.describe_engines();
  std::vector<PreparedVariant> sides;
  for (EngineRun& engine_run : session.engine_runs()) {
    const auto engine = static_cast<int>(sides.size());
    sides.push_back(side_of(engine_run, session, session.runner().preparations(engine)));
  }
  for (PreparedVariant& side : sides) {
    if (!unchecked.empty()) side.warnings.push_back("not checked: " + unchecked);
    side.warnings.insert(side.warnings.end(), session.warnings().begin(), session.warnings().end());
  }
  return sides;
}

}  // namespace opbench
