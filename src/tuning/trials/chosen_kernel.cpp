#include "tuning/trials/chosen_kernel.h"

#include <algorithm>

#include "engines/package/layout_plan.h"

namespace opbench {

KernelChoice chosen_kernel(const KernelSpec& spec, std::string origin) {
  KernelChoice choice{.workload = text_of(spec.workload),
                      .blocks = blocks_of(spec),
                      .schedule = spec.schedule,
                      .config = spec.config,
                      .origin = std::move(origin)};
  if ((*schedule_table().find(spec.schedule))->knobs != nullptr) return choice;
  choice.is_of_anchor = true;
  choice.blocks = {choice.blocks.front(), choice.blocks.back()};
  return choice;
}

bool has_usual_blocks(const KernelChoice& choice, const Target& target) {
  const int lanes = float_lanes(target);
  return std::ranges::all_of(choice.blocks,
                             [&](int block) { return block == 0 || block == lanes; });
}

}  // namespace opbench
