#include "kernels/space/config_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/errors/suggestion.h"
#include "kernels/space/entity_match.h"

namespace opbench {

Result<uint64_t> size_of(const ConfigSpace& space) {
  uint64_t size = 1;
  for (const Knob& knob : space.knobs) {
    const uint64_t count = knob.entities.size();
    if (count != 0 && size > std::numeric_limits<uint64_t>::max() / count) {
      return Error{ErrorCode::kInvalidInput, "a config space of more than 2^64 points"};
    }
    size *= count;
  }
  return size;
}

Result<std::vector<size_t>> digits_of(const ConfigSpace& space, uint64_t index) {
  std::vector<size_t> digits;
  uint64_t rest = index;
  for (const Knob& knob : space.knobs) {
    const uint64_t count = knob.entities.size();
    if (count == 0) {
      return Error{ErrorCode::kInvalidInput, fmt::format("knob \"{}\" has no value", knob.name)};
    }
    digits.push_back(rest % count);
    rest /= count;
  }
  if (rest == 0) return digits;
  OPBENCH_TRY(const uint64_t size, size_of(space));
  return Error{ErrorCode::kInvalidInput,
               fmt::format("index {} of a config space of {}", index, size)}
      .with("valid", fmt::format("0 to {}", size - 1));
}

uint64_t index_of(const ConfigSpace& space, const std::vector<size_t>& digits) {
  assert(digits.size() == space.knobs.size());
  uint64_t index = 0;
  for (size_t i = digits.size(); i > 0; --i) {
    assert(digits[i - 1] < space.knobs[i - 1].entities.size());
    index = index * space.knobs[i - 1].entities.size() + digits[i - 1];
  }
  return index;
}

Result<KnobConfig> config_at(const ConfigSpace& space, uint64_t index) {
  OPBENCH_TRY(const std::vector<size_t> digits, digits_of(space, index));
  KnobConfig config{.index = index};
  for (size_t i = 0; i < digits.size(); ++i) {
    const Knob& knob = space.knobs[i];
    config.knobs.push_back({.name = knob.name,
                            .kind = std::string(tag_of(knob.kind)),
                            .value = knob.entities[digits[i]]});
  }
  return config;
}

Result<uint64_t> index_of(const ConfigSpace& space, const KnobConfig& config) {
  std::vector<std::string> names;
  for (const Knob& knob : space.knobs) names.push_back(knob.name);
  for (const KnobValue& value : config.knobs) {
    if (std::ranges::find(names, value.name) == names.end()) {
      return unknown_name("knob", value.name, names);
    }
  }
  std::vector<size_t> digits;
  for (const Knob& knob : space.knobs) {
    const auto value = std::ranges::find(config.knobs, knob.name, &KnobValue::name);
    if (value == config.knobs.end()) {
      return Error{ErrorCode::kInvalidInput, fmt::format("a config without knob \"{}\"", knob.name)}
          .with("known", join(names));
    }
    OPBENCH_TRY(const size_t digit, entity_of(knob, *value));
    digits.push_back(digit);
  }
  return index_of(space, digits);
}

}  // namespace opbench
