#include "kernels/schedules/kernel_choice.h"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "kernels/schedules/shape_distance.h"
#include "model/operators/workloads/unit_workload.h"

namespace opbench {
namespace {

constexpr int kAnyThreads = 0;

/// The default config with the choice's values; nothing when the choice has a knob that the
/// schedule lacks, as after a change of the schedule.
std::optional<Config> kernel_choice_merged(const ScheduleDef& schedule, const KernelSpec& spec,
                                           const Config& chosen) {
  std::optional<Config> config = schedule.default_config(spec);
  if (!config) return std::nullopt;
  // Templates of others have no rule: their config is all of it.
  const bool has_rule = schedule.priority >= 0;
  for (const auto& [knob, value] : chosen) {
    if (has_rule && !config->contains(knob)) return std::nullopt;
    (*config)[knob] = value;
  }
  return config;
}

/// The spec with the choice's schedule and config, when these fit it.
std::optional<KernelSpec> chosen_spec(const KernelChoice& choice, const KernelSpec& spec) {
  const auto schedule = schedule_table().find(choice.schedule);
  if (!schedule || !makes_kernels_for(**schedule, spec.target)) return std::nullopt;
  if (!gives_outputs(**schedule, spec.workload)) return std::nullopt;
  std::optional<Config> config = kernel_choice_merged(**schedule, spec, choice.config);
  if (!config) return std::nullopt;
  KernelSpec chosen = spec;
  chosen.schedule = choice.schedule;
  chosen.config = *std::move(config);
  if (!check_spec(chosen)) return std::nullopt;
  return chosen;
}

/// Whether a tuner could have come to this config for this workload.
bool has_values_of_range(const KernelSpec& spec) {
  const ScheduleDef& schedule = **schedule_table().find(spec.schedule);
  if (schedule.knobs == nullptr) return true;
  return std::ranges::all_of(schedule.knobs(spec), [&](const KnobRange& range) {
    return std::ranges::find(range.values, spec.config.at(range.name)) != range.values.end();
  });
}

}  // namespace

Json to_json(const KernelChoice& choice) {
  return {{"workload", choice.workload},
          {"blocks", choice.blocks},
          {"schedule", choice.schedule},
          {"config", choice.config},
          {"origin", choice.origin},
          {"is_of_anchor", choice.is_of_anchor},
          {"is_for_similar", choice.is_for_similar},
          {"threads", choice.threads}};
}

Result<KernelChoice> kernel_choice_from_json(const Json& json) {
  try {
    return KernelChoice{json.at("workload"),
                        json.at("blocks"),
                        json.at("schedule"),
                        json.at("config").get<Config>(),
                        json.at("origin"),
                        json.at("is_of_anchor"),
                        json.value("is_for_similar", false),
                        json.value("threads", 0)};
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
    known[{choice.workload, choice.blocks, choice.threads}] = choice;
    if (!choice.is_for_similar) continue;
    similar_.push_back(choice);
    similar_.back().origin += " for " + choice.workload;
  }
}

const KernelChoice* KernelChoices::find(const KernelSpec& spec) const {
  const auto find_in = [&](const Known& known, const std::string& workload,
                           const std::vector<int>& blocks) -> const KernelChoice* {
    for (const int threads : {spec.threads, kAnyThreads}) {
      const auto found = known.find({workload, blocks, threads});
      if (found != known.end()) return &found->second;
    }
    return nullptr;
  };
  const std::vector<int> blocks = blocks_of(spec);
  const KernelChoice* unit = find_in(units_, text_of(spec.workload), blocks);
  if (unit != nullptr || anchors_.empty()) return unit;
  return find_in(anchors_, anchor_text(spec.workload), {blocks.front(), blocks.back()});
}

/// Those of the same layouts and of workloads that differ in extents only, the nearest first.
std::vector<const KernelChoice*> KernelChoices::similar(const KernelSpec& spec) const {
  const std::vector<int> blocks = blocks_of(spec);
  const std::vector<int> ends = {blocks.front(), blocks.back()};
  const std::string unit = text_of(spec.workload);
  const std::string anchor = anchor_text(spec.workload);
  std::multimap<double, const KernelChoice*> by_distance;
  for (const KernelChoice& choice : similar_) {
    if (choice.threads != kAnyThreads && choice.threads != spec.threads) continue;
    if (choice.blocks != (choice.is_of_anchor ? ends : blocks)) continue;
    const auto distance = shape_distance(choice.workload, choice.is_of_anchor ? anchor : unit);
    if (distance) by_distance.emplace(*distance, &choice);
  }
  std::vector<const KernelChoice*> sorted;
  for (const auto& [distance, choice] : by_distance) sorted.push_back(choice);
  return sorted;
}

const KernelChoice* KernelChoices::complete(KernelSpec& spec,
                                            const std::set<std::string>& refused) const {
  if (units_.empty() && anchors_.empty()) return nullptr;
  if (const KernelChoice* exact = find(spec)) {
    std::optional<KernelSpec> chosen = chosen_spec(*exact, spec);
    if (!chosen || refused.contains(text_of(*chosen))) return nullptr;
    spec = *std::move(chosen);
    return exact;
  }
  if (similar_.empty()) return nullptr;
  for (const KernelChoice* choice : similar(spec)) {
    std::optional<KernelSpec> chosen = chosen_spec(*choice, spec);
    if (!chosen || !has_values_of_range(*chosen) || refused.contains(text_of(*chosen))) continue;
    spec = *std::move(chosen);
    return choice;
  }
  return nullptr;
}

}  // namespace opbench
