#include "opbench/schedule/kernel_choice.h"

#include <nlohmann/json.hpp>

namespace opbench {
namespace {

/// The rule's config with the choice's values; nothing when the choice has a knob that the schedule
/// lacks, as after a change of the schedule.
std::optional<Config> merged(const ScheduleDef& schedule, const KernelSpec& spec,
                             const Config& chosen) {
  std::optional<Config> config = schedule.by_rule(spec);
  if (!config) return std::nullopt;
  // Templates of others have no rule: their config is all of it.
  const bool has_rule = schedule.priority >= 0;
  for (const auto& [knob, value] : chosen) {
    if (has_rule && !config->contains(knob)) return std::nullopt;
    (*config)[knob] = value;
  }
  return config;
}

}  // namespace

Json to_json(const KernelChoice& choice) {
  return {{"workload", choice.workload}, {"blocks", choice.blocks},
          {"schedule", choice.schedule}, {"config", choice.config},
          {"origin", choice.origin},     {"is_of_anchor", choice.is_of_anchor}};
}

Result<KernelChoice> kernel_choice_from_json(const Json& json) {
  try {
    return KernelChoice{json.at("workload"), json.at("blocks"),
                        json.at("schedule"), json.at("config").get<Config>(),
                        json.at("origin"),   json.at("is_of_anchor")};
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kInvalidInput, "the choice of a kernel cannot be read"}.with(
        "reason", error.what());
  }
}

std::string anchor_text(const Workload& workload) {
  Graph graph = workload.graph;
  Node& anchor = graph.nodes.front();
  const bool has_bias = anchor.type == "Conv" || anchor.type == "Gemm";
  constexpr size_t kWithoutBias = 2;
  if (!has_bias) return text_of(workload);
  if (anchor.inputs.size() > kWithoutBias) anchor.inputs.resize(kWithoutBias);
  std::vector<std::string> operands;
  Workload alone = workload_of(graph, {0}, workload.opset, operands);
  alone.weights.clear();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (workload.is_weight(operands[i])) alone.weights.push_back(alone.graph.inputs[i].name);
  }
  return text_of(alone);
}

KernelChoices::KernelChoices(const std::vector<KernelChoice>& choices) {
  for (const KernelChoice& choice : choices) {
    auto& known = choice.is_of_anchor ? anchors_ : units_;
    known[{choice.workload, choice.blocks}] = choice;
  }
}

const KernelChoice* KernelChoices::find(const KernelSpec& spec) const {
  const std::vector<int> blocks = blocks_of(spec);
  const auto unit = units_.find({text_of(spec.workload), blocks});
  if (unit != units_.end()) return &unit->second;
  if (anchors_.empty()) return nullptr;
  const auto anchor = anchors_.find({anchor_text(spec.workload), {blocks.front(), blocks.back()}});
  return anchor == anchors_.end() ? nullptr : &anchor->second;
}

const KernelChoice* KernelChoices::complete(KernelSpec& spec,
                                            const std::set<std::string>& refused) const {
  const KernelChoice* choice = units_.empty() && anchors_.empty() ? nullptr : find(spec);
  if (choice == nullptr) return nullptr;
  const auto schedule = schedule_table().find(choice->schedule);
  if (!schedule) return nullptr;
  std::optional<Config> config = merged(**schedule, spec, choice->config);
  if (!config) return nullptr;
  KernelSpec chosen = spec;
  chosen.schedule = choice->schedule;
  chosen.config = *std::move(config);
  const bool is_valid = (*schedule)->check_config == nullptr || (*schedule)->check_config(chosen);
  if (!is_valid || refused.contains(text_of(chosen))) return nullptr;
  spec = std::move(chosen);
  return choice;
}

}  // namespace opbench
