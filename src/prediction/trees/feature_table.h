#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opbench {

/// Numbers of several points, row after row.
struct FeatureTable {
  size_t columns = 0;
  std::vector<float> values;  ///< rows x columns
  size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }

  /// Adds a row: cut to the columns, or filled up with zeros.
  void add(std::span<const float> row);
};

}  // namespace opbench
