#include "prediction/trees/feature_table.h"

#include <algorithm>

namespace opbench {

void FeatureTable::add(std::span<const float> row) {
  const size_t taken = std::min(row.size(), columns);
  values.insert(values.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(taken));
  values.resize(values.size() + columns - taken, 0.0F);
}

}  // namespace opbench
