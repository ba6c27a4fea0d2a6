#include "experiments/compare/variant_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engines/catalog/engine_choice.h"
#include "experiments/compare/kernel_decision.h"
#include "experiments/sessions/request/replay_request.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

// Equal for requests to one build that differ in engines and threads only.
std::string key_of(const std::filesystem::path& build, ProfileRequest request) {
  request.engines.clear();
  request.threads.clear();
  return build.string() + "|" + request_json(request) + "|" + request.measure.inject_fault;
}

// Equal for groups of one build and model, whatever their settings.
std::string model_key(const VariantGroup& group) {
  ProfileRequest request = group.request;
  request.settings = {};
  return key_of(group.build, std::move(request));
}

std::vector<int> threads_of(const VariantGroup& group) {
  std::vector<int> threads;
  for (const Variant& variant : group.variants) {
    const bool is_new = std::ranges::find(threads, variant.threads) == threads.end();
    if (takes_packages(variant.engine) && is_new) threads.push_back(variant.threads);
  }
  return threads;
}

/// `conv2d_direct tile=4 vectors=2 (r18.log:17)`
std::string kernel_text(const KernelChoice& choice) {
  std::string text = choice.schedule;
  for (const auto& [knob, value] : choice.config) text += fmt::format(" {}={}", knob, value);
  return fmt::format("{} ({})", text, choice.origin);
}

/// Whether the side would run this kernel without a log, too. Another build has its own defaults.
bool is_default_of(const VariantGroup& group, const Variant& variant, const KernelChoice& kernel) {
  const auto target = parse_target(variant.settings.target);
  return group.build.empty() && target && is_default_config(kernel, *target);
}

// By what kernels are decided for: build, model and settings.
std::vector<VariantGroup> groups_of(const std::vector<VariantRequest>& sides) {
  std::vector<VariantGroup> groups;
  std::vector<std::string> keys;
  for (size_t i = 0; i < sides.size(); ++i) {
    const VariantRequest& side = sides[i];
    const std::string key = key_of(side.build, profile_of(side));
    const auto known = std::ranges::find(keys, key);
    const auto place = static_cast<size_t>(known - keys.begin());
    if (known == keys.end()) {
      groups.push_back({.request = profile_of(side),
                        .build = side.build,
                        .build_name = side.build_name,
                        .commit = side.commit,
                        .variants = {},
                        .sides = {}});
      groups.back().request.engines.clear();
      keys.push_back(key);
    }
    VariantGroup& group = groups[place];
    const std::string& engine = side.variant.engine;
    group.variants.push_back(side.variant);
    group.sides.push_back(i);
    if (std::ranges::find(group.request.engines, engine) == group.request.engines.end()) {
      group.request.engines.push_back(engine);
    }
  }
  return groups;
}

}  // namespace

Result<std::vector<VariantGroup>> variant_groups(const CompareRequest& request,
                                                 std::vector<std::string>& notes) {
  std::vector<VariantGroup> decided;
  for (VariantGroup& group : groups_of(request.sides)) {
    group.request.hooks.progress = request.hooks.progress;
    group.request.hooks.cancel = request.hooks.cancel;
    OPBENCH_TRY(group.request, with_decided_kernels(group.request, threads_of(group), notes));
    for (Variant& variant : group.variants) variant.settings = group.request.settings;
    const auto known = std::ranges::find_if(decided, [&](const VariantGroup& other) {
      return group.build.empty() && model_key(other) == model_key(group);
    });
    if (known == decided.end()) {
      decided.push_back(std::move(group));
      continue;
    }
    std::ranges::move(group.variants, std::back_inserter(known->variants));
    std::ranges::move(group.sides, std::back_inserter(known->sides));
  }
  return decided;
}

void add_origin(const VariantGroup& group, const Variant& variant, ComparedVariant& side) {
  side.build = group.build_name.empty() ? group.build.string() : group.build_name;
  if (!group.commit.empty()) side.commit = group.commit;
  ProfileRequest request = group.request;
  request.engines = {variant.engine};
  request.threads = {variant.threads};
  request.settings = variant.settings;
  request.measure.budget_s = MeasureOptions().budget_s;  // to repeat one side, not the comparison
  side.request_json = request_json(request);
  if (!takes_packages(variant.engine)) return;
  side.executor = variant.settings.executor;
  side.is_fused = variant.settings.is_fused;
  for (const KernelChoice& kernel : variant.settings.kernels) {
    if (kernel.threads != 0 && kernel.threads != variant.threads) continue;
    if (is_default_of(group, variant, kernel)) continue;
    side.kernels[kernel.workload] = kernel_text(kernel);
  }
}

}  // namespace opbench
