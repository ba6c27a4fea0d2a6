#include <fmt/format.h>

#include "base/errors/suggestion.h"
#include "kernels/space/config_space.h"
#include "kernels/space/entity_match.h"

namespace opbench {
namespace {

std::string description(const Knob& knob) {
  switch (knob.kind) {
    case KnobKind::kSplit:
      return fmt::format("Split(policy={}, product={}, num_outputs={})", knob.policy, knob.product,
                         knob.num_outputs);
    case KnobKind::kReorder:
      return fmt::format("Reorder(policy={})", knob.policy);
    case KnobKind::kAnnotate:
      return fmt::format("Annotate(policy={})", knob.policy);
    case KnobKind::kOther:
      return fmt::format("OtherOption({})", python_text(Argument::of_tuple(knob.entities)));
  }
  return {};
}

}  // namespace

std::string printed(const ConfigSpace& space) {
  const auto size = size_of(space);
  std::string text = fmt::format("ConfigSpace (len={}, space_map=\n",
                                 size ? fmt::to_string(*size) : "more than 2^64");
  for (size_t i = 0; i < space.knobs.size(); ++i) {
    const Knob& knob = space.knobs[i];
    text += fmt::format("  {:2} {}: {} len={}\n", i, knob.name, description(knob),
                        knob.entities.size());
  }
  return text + ")";
}

}  // namespace opbench
