#include "experiments/sessions/workload_units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "base/json/json_text.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/model/model_source.h"
#include "model/graph/onnx_file.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

// The units of the model by themselves; `model` receives the graph they are of, with its folded
// constants.
Result<std::vector<PreparedUnit>> units_of(Model& model, UnitKind kind) {
  OPBENCH_CHECK(fold_constants(model));
  OPBENCH_CHECK(fold_batch_norms(model));
  OPBENCH_CHECK(infer_types(model));
  std::vector<PreparedUnit> units;
  for (Unit& unit : kind == UnitKind::kNode ? single_nodes(model) : fuse(model)) {
    PreparedUnit prepared;
    prepared.id = static_cast<int>(units.size());
    prepared.identity.operator_text = operator_text(unit.workload);
    for (const size_t node : unit.nodes)
      prepared.identity.nodes.push_back(model.graph.nodes[node].name);
    prepared.identity.workload = std::move(unit.workload);
    prepared.values.operands = std::move(unit.operands);
    prepared.values.output = std::move(unit.output);
    prepared.values.further_outputs = std::move(unit.further_outputs);
    units.push_back(std::move(prepared));
  }
  return units;
}

// A workload's operands by the names of its inputs: the model's weights, other operands seeded.
NamedTensors workload_operands_of_unit(const PreparedUnit& unit, const Model& model,
                                       uint64_t seed) {
  NamedTensors tensors;
  const Graph& graph = unit.identity.workload->graph;
  for (size_t i = 0; i < unit.values.operands.size(); ++i) {
    const std::string& name = graph.inputs[i].name;
    const auto constant = model.graph.constants.find(unit.values.operands[i]);
    const bool is_known = constant != model.graph.constants.end();
    tensors.emplace_back(name, is_known ? constant->second
                                        : seeded_tensor(graph.types.at(name), seed,
                                                        "operand " + name, range_of(graph, name)));
  }
  return tensors;
}

// The workload as a model of its own whose weights are those among `operands`, which are left with
// the others.
Model alone(const Workload& workload, uint64_t seed, NamedTensors& operands) {
  Model model = model_of_workload(workload, seed);
  std::erase_if(operands, [&](auto& operand) {
    const auto constant = model.graph.constants.find(operand.first);
    if (constant == model.graph.constants.end()) return false;
    constant->second = std::move(operand.second);
    return true;
  });
  return model;
}

// What an engine that runs models is given for one unit.
Result<Json> model_params(const EngineRun& engine_run, const Model& model,
                          const std::filesystem::path& folder) {
  if (engine_run.asked.definition.prepare_model != nullptr) {
    EngineOptions options = engine_run.asked.options;
    options.folder = folder;
    options.layouts.clear();
    options.observed.clear();
    OPBENCH_TRY(const PreparedModel prepared,
                engine_run.asked.definition.prepare_model(model, options));
    return Json{{"kind", prepared.kind}, {"path", prepared.path.string()}};
  }
  OPBENCH_CHECK(write_onnx(model, folder / "workload.onnx"));
  return Json{{"kind", "onnx"}, {"path", (folder / "workload.onnx").string()}};
}

Result<Json> workload_params(const Workload& workload, uint64_t seed,
                             const std::filesystem::path& folder) {
  OPBENCH_CHECK(write_onnx(model_of_workload(workload, seed), folder / "workload.onnx"));
  return Json{{"kind", "workload"},
              {"workload", text_of(workload)},
              {"path", (folder / "workload.onnx").string()},
              {"weights", workload.weights}};
}

}  // namespace

Result<void> add_workloads(EngineRun& engine_run, const RunInputs& inputs) {
  const uint64_t seed = inputs.spec.seed;
  Model model = inputs.model;
  OPBENCH_TRY(engine_run.built.units, units_of(model, inputs.units));
  engine_run.built.groups = group_units(engine_run.built.units);
  for (size_t i = 0; i < engine_run.built.groups.size(); ++i) {
    UnitGroup& group = engine_run.built.groups[i];
    const PreparedUnit& unit = engine_run.built.units[group.members.front()];
    group.preparation = fmt::format("u{}", i);
    const auto folder = engine_run.asked.options.folder / group.preparation;
    std::filesystem::create_directories(folder);
    NamedTensors operands = workload_operands_of_unit(unit, model, seed);
    Json params;
    if (engine_run.asked.definition.runs_models) {
      const Model single = alone(*unit.identity.workload, seed, operands);
      OPBENCH_TRY(params, model_params(engine_run, single, folder));
    } else {
      OPBENCH_TRY(params, workload_params(*unit.identity.workload, seed, folder));
    }
    OPBENCH_TRY(params["inputs"], write_tensors(folder, operands));
    engine_run.built.setup.preparations.push_back(
        {group.preparation, json_text(params), kPrepareLimit});
  }
  return {};
}

}  // namespace opbench
