#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prediction/few_shot/dense_matrix.h"

namespace opbench {

/// One number of a row that is not 0.
struct SparseFeature {
  uint32_t column = 0;
  double value = 0;
};

/// Rows of which most numbers are 0.
struct SparseRows {
  size_t columns = 0;
  std::vector<std::vector<SparseFeature>> rows;
};

/// A row begins with a feature for each edge: column `edge * operations + operation`.
struct CellFeatures : SparseRows {
  size_t edges = 0;       ///< of a cell
  size_t operations = 0;  ///< that occur
};

/// Features of cells in the notation of NAS-Bench-201 (Dong and Yang 2020): `|op~0|+|op~0|op~1|`
/// lists, for each node behind the input, its operators and the nodes that they read; `none` is no
/// edge. For each edge its operator, for each pair of edges both operators, and, of the edges on a
/// path from the input to the last node, the operator and how often each operator occurs. Compilers
/// drop the other edges, frameworks run them, so both kinds of features are needed. A last one
/// marks cells without any path. Nothing when a text is in another form, or not all cells have
/// edges between the same nodes.
std::optional<CellFeatures> cell_features(std::span<const std::string> cells);

/// What a ridge regression on the features and a constant (penalty 1) says of each column of
/// `values[n,d]`: what operators and their pairs explain, without the noise.
DenseMatrix smoothed_columns(const SparseRows& features, const DenseMatrix& values);

}  // namespace opbench
