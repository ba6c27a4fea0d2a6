#pragma once

#include <span>
#include <string>
#include <vector>

#include "prediction/predict/unit_sample.h"

namespace opbench {

/// The columns of a table of units, by name: a name of unit_feature_names() or kModelFeatures,
/// `cold_weights_share` (of the bound and cold_weights_s together), `knob.NAME`, `schedule.NAME`
/// and `kind.NAME` (1 for units of that schedule or kind, else 0).
class FeatureColumns {
 public:
  FeatureColumns() = default;
  /// `kInvalidInput` with the name that is none.
  static Result<FeatureColumns> named(std::vector<std::string> names);

  /// All that differ between these samples; `has_kinds`: also their kinds.
  static FeatureColumns of(std::span<const UnitSample* const> samples, bool has_kinds);

  const std::vector<std::string>& names() const { return names_; }

  /// The row of a unit, one value a column.
  std::vector<float> row(const UnitFeatures& features, const ModelContext& context) const;

 private:
  enum class Source { kValue, kModel, kColdWeights, kKnob, kSchedule, kKind };
  struct Column {
    Source source = Source::kValue;
    size_t index = 0;  ///< of a value
    std::string name;  ///< of a knob, schedule or kind
  };
  static Result<Column> column_of(const std::string& name);

  std::vector<std::string> names_;
  std::vector<Column> columns_;
};

}  // namespace opbench
