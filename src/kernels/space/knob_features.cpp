#include "kernels/space/knob_features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

namespace opbench {
namespace {

constexpr std::array<std::string_view, 11> kAnnotations = {
    "none",        "vec",         "unroll",      "blockIdx.x", "blockIdx.y", "blockIdx.z",
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "vthread",    "fuse"};

float knob_features_number_of(const Argument& value) {
  switch (value.kind) {
    case ArgumentKind::kBool:
      return value.flag ? 1.0F : 0.0F;
    case ArgumentKind::kInt:
      return static_cast<float>(value.integer);
    case ArgumentKind::kDouble:
      return static_cast<float>(value.real);
    default:
      return 0.0F;
  }
}

void append(std::vector<float>& features, const Argument& value) {
  if (value.kind != ArgumentKind::kTuple) {
    features.push_back(knob_features_number_of(value));
    return;
  }
  for (const Argument& item : value.items) {
    if (item.kind != ArgumentKind::kString) {
      features.push_back(knob_features_number_of(item));
      continue;
    }
    for (const std::string_view name : kAnnotations) {
      features.push_back(item.text == name ? 1.0F : 0.0F);
    }
  }
}

}  // namespace

std::vector<float> knob_features(const KnobConfig& config) {
  std::vector<float> features;
  for (const KnobValue& knob : config.knobs) append(features, knob.value);
  return features;
}

std::vector<float> knob_features(const ConfigSpace& space, const std::vector<size_t>& digits) {
  assert(digits.size() == space.knobs.size());
  std::vector<float> features;
  for (size_t i = 0; i < digits.size(); ++i) append(features, space.knobs[i].entities[digits[i]]);
  return features;
}

}  // namespace opbench
