#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/loops/nest.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"

namespace opbench {

/// What a cost model sees of a config (docs/reference/tuners.md, "Loop features").
enum class FeatureKind {
  kKnob,     ///< the values of its knobs (knob_features.h)
  kItervar,  ///< its loops and what they touch, then the values of the option knobs
  kCurve,    ///< how reuse grows with the iterations, then the option knobs
};

/// The features of one task's configs, each worked out once as long as there are not too many.
class ConfigFeatures {
 public:
  /// `space` and `task` must outlive it. A task without a nest, or null, has knob features only.
  ConfigFeatures(FeatureKind kind, const ConfigSpace& space, const Task* task);

  /// As many numbers for every config of a task. Nothing for a config that has no features. Valid
  /// until the next call.
  const std::vector<float>& of(uint64_t index);

 private:
  std::vector<float> extract(uint64_t index) const;

  FeatureKind kind_;
  const ConfigSpace& space_;
  const Task* task_;
  const NestDef* nest_ = nullptr;
  std::unordered_map<uint64_t, std::vector<float>> known_;
};

}  // namespace opbench
