#pragma once

#include <string>
#include <vector>

#include "experiments/fusion/fusion_rules.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// A row a pair: its times alone and together with their intervals, what running both saves, and
/// the verdict beside what the engine says of itself.
TextTable fusion_table(const std::vector<EngineFusion>& engines);

/// Per engine how many pairs are fused, and precision and recall where the engine tells.
std::string fusion_summary(const std::vector<EngineFusion>& engines);

/// `opbench.fusion-rules/1`.
std::string fusion_json(const std::vector<EngineFusion>& engines);

}  // namespace opbench
