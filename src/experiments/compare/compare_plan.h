#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/compare/compare_scope.h"
#include "experiments/compare/prepared_variant.h"
#include "experiments/compare/unit_match.h"
#include "measuring/sampling/paired.h"

namespace opbench {

/// One row of a comparison, and where its times come from.
struct CompareRow {
  MatchedUnit match;  ///< empty for the model
  bool is_model = false;
  std::vector<std::optional<size_t>> place;  ///< by side: its position in the paired item
  std::vector<std::string> reasons;          ///< by side: why it has none
  std::vector<bool> failed;                  ///< by side: whether it fails there, or is wrong
  std::optional<size_t> control;             ///< position of the base measured again
  std::optional<size_t> item;                ///< in the paired measurement
};

/// What is measured: rows, and the engine items behind them.
struct ComparePlan {
  std::vector<CompareRow> rows;  ///< the model last
  std::vector<PairedItem> items;
  /// `engine` is the number of the side, or the number of sides for the A/A control.
  std::vector<EngineItem> engine_items;
};

/// The rows of the sides' common units and of the model. A row in which fewer than two sides can
/// run is not measured.
ComparePlan plan_comparison(const std::vector<PreparedVariant>& sides, const CompareScope& scope);

}  // namespace opbench
