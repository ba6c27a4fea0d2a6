#include "prediction/features/config_features.h"

#include <cassert>

#include "kernels/space/knob_features.h"
#include "prediction/features/nest_features.h"

namespace opbench {
namespace {

constexpr size_t kMostKnown = 10'000;  // some 15 MB; AutoTVM keeps ten times as many

KnobConfig options_of(const KnobConfig& config) {
  KnobConfig options;
  for (const KnobValue& knob : config.knobs) {
    if (knob.kind == tag_of(KnobKind::kOther)) options.knobs.push_back(knob);
  }
  return options;
}

}  // namespace

ConfigFeatures::ConfigFeatures(FeatureKind kind, const ConfigSpace& space, const Task* task)
    : kind_(kind), space_(space), task_(task) {
  if (kind_ == FeatureKind::kKnob) return;
  assert(task != nullptr && has_nest(task->name));
  nest_ = *nest_table().find(task->name);
}

const std::vector<float>& ConfigFeatures::of(uint64_t index) {
  const auto found = known_.find(index);
  if (found != known_.end()) return found->second;
  if (known_.size() >= kMostKnown) known_.clear();
  return known_[index] = extract(index);
}

std::vector<float> ConfigFeatures::extract(uint64_t index) const {
  const Result<KnobConfig> config = config_at(space_, index);
  if (!config) return {};
  if (kind_ == FeatureKind::kKnob) return knob_features(*config);
  const Result<LoopNest> nest = nest_->nest(task_->arguments, *config);
  if (!nest) return {};
  std::vector<float> features =
      kind_ == FeatureKind::kItervar ? itervar_features(*nest) : curve_features(*nest);
  const std::vector<float> options = knob_features(options_of(*config));
  features.insert(features.end(), options.begin(), options.end());
  return features;
}

}  // namespace opbench
