#include "kernels/space/fallback_config.h"

#include <algorithm>

#include "base/numbers/divisors.h"

namespace opbench {
namespace {

const Knob* find_knob(const ConfigSpace& space, const std::string& name) {
  const auto found = std::ranges::find(space.knobs, name, &Knob::name);
  return found == space.knobs.end() ? nullptr : &*found;
}

const KnobValue* find_value(const KnobConfig& config, const std::string& name) {
  const auto found = std::ranges::find(config.knobs, name, &KnobValue::name);
  return found == config.knobs.end() ? nullptr : &*found;
}

SplitSizes sizes_of(const KnobValue& value) {
  SplitSizes sizes;
  for (const Argument& item : value.value.items) sizes.push_back(item.integer);
  return sizes;
}

/// The length of the axis that a reference split.
int64_t split_length(const ReferenceConfig& reference, const KnobValue& value) {
  int64_t product = 1;
  for (const int64_t size : sizes_of(value)) {
    if (__builtin_mul_overflow(product, size, &product)) return 0;
  }
  if (product > 0) return product;
  const Knob* knob = find_knob(reference.space, value.name);
  return knob == nullptr ? 0 : knob->product;
}

/// The part of the divisors of `length` that divide `other` too.
double shared_divisors(int64_t length, int64_t other) {
  if (other < 1) return 0;
  const std::vector<int64_t> divisors = divisors_of(length);
  const auto shared =
      std::ranges::count_if(divisors, [other](int64_t divisor) { return other % divisor == 0; });
  return static_cast<double>(shared) / static_cast<double>(divisors.size());
}

double score_of(const ConfigSpace& space, const ReferenceConfig& reference) {
  double score = 0;
  for (const Knob& knob : space.knobs) {
    const KnobValue* value = find_value(reference.config, knob.name);
    if (knob.kind != KnobKind::kSplit || value == nullptr) continue;
    score += shared_divisors(knob.product, split_length(reference, *value));
  }
  return score;
}

KnobValue limited_value(const Knob& knob, const KnobValue& reference) {
  if (knob.kind != KnobKind::kSplit) return reference;
  std::vector<int64_t> limits = sizes_of(reference);
  if (!limits.empty()) limits[0] = -1;
  return split_value(knob.name, fallback_split(knob.product, limits));
}

}  // namespace

SplitSizes fallback_split(int64_t length, const std::vector<int64_t>& limits) {
  SplitSizes sizes(limits.size(), 1);
  int64_t rest = length;
  for (size_t i = limits.size(); i > 0; --i) {
    const int64_t limit = limits[i - 1];
    for (const int64_t divisor : divisors_of(rest)) {
      if (limit < 0 || divisor <= limit) sizes[i - 1] = divisor;
    }
    rest /= sizes[i - 1];
  }
  return sizes;
}

KnobValue split_value(const std::string& name, const SplitSizes& sizes) {
  std::vector<Argument> items;
  for (const int64_t size : sizes) items.push_back(Argument::of_int(size));
  return {.name = name, .kind = "sp", .value = Argument::of_tuple(std::move(items))};
}

KnobValue option_value(const std::string& name, Argument value) {
  return {.name = name, .kind = "ot", .value = std::move(value)};
}

KnobConfig fallback_from_references(const ConfigSpace& space,
                                    const std::vector<ReferenceConfig>& references) {
  const ReferenceConfig* best = nullptr;
  double best_score = 0;
  for (const ReferenceConfig& reference : references) {
    const double score = score_of(space, reference);
    if (score <= best_score) continue;
    best_score = score;
    best = &reference;
  }
  KnobConfig config;
  for (const Knob& knob : space.knobs) {
    const KnobValue* value = best == nullptr ? nullptr : find_value(best->config, knob.name);
    if (value != nullptr && value->kind == tag_of(knob.kind)) {
      config.knobs.push_back(limited_value(knob, *value));
    } else {
      config.knobs.push_back({.name = knob.name,
                              .kind = std::string(tag_of(knob.kind)),
                              .value = knob.entities.front()});
    }
  }
  return with_index(space, std::move(config));
}

KnobConfig with_index(const ConfigSpace& space, KnobConfig config) {
  config.index = index_of(space, with_free_outer_extents(space, config)).value_or(0);
  return config;
}

KnobConfig with_free_outer_extents(const ConfigSpace& space, KnobConfig config) {
  for (KnobValue& value : config.knobs) {
    const Knob* knob = find_knob(space, value.name);
    if (knob == nullptr || knob->kind != KnobKind::kSplit) continue;
    const std::vector<Argument>& first = knob->entities.front().items;
    const bool is_free = !first.empty() && first[0] == Argument::of_int(-1);
    std::vector<Argument>& sizes = value.value.items;
    if (is_free && !sizes.empty() && value.value.kind == ArgumentKind::kTuple) sizes[0] = first[0];
  }
  return config;
}

}  // namespace opbench
