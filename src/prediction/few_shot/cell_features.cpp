#include "prediction/few_shot/cell_features.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/numbers/number.h"

namespace opbench {
namespace {

struct Edge {
  std::string_view operation;
  size_t from = 0;
  size_t to = 0;
};

using Cell = std::vector<Edge>;

/// `op~1`
std::optional<Edge> edge_of(std::string_view text, size_t to) {
  const size_t mark = text.rfind('~');
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  const auto from = parse_integer(text.substr(mark + 1));
  if (!from || *from < 0 || *from >= static_cast<int64_t>(to)) return std::nullopt;
  return Edge{text.substr(0, mark), static_cast<size_t>(*from), to};
}

std::optional<Cell> cell_of(std::string_view text) {
  Cell cell;
  size_t node = 1;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("|+"), text.size());
    if (end > 0) {
      const auto edge = edge_of(text.substr(0, end), node);
      if (!edge) return std::nullopt;
      cell.push_back(*edge);
    }
    if (end < text.size() && text[end] == '+') ++node;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (cell.empty()) return std::nullopt;
  return cell;
}

bool has_same_edges(const Cell& a, const Cell& b) {
  return std::ranges::equal(
      a, b, [](const Edge& x, const Edge& y) { return x.from == y.from && x.to == y.to; });
}

/// Whether each edge lies on a path from the input to the last node. Edges are in the order of the
/// nodes that they lead to.
std::vector<bool> live_edges(const Cell& cell) {
  const size_t last = cell.back().to;
  std::vector<bool> is_reached(last + 1), is_read(last + 1), is_live(cell.size());
  is_reached[0] = is_read[last] = true;
  for (const Edge& edge : cell) {
    if (edge.operation != "none" && is_reached[edge.from]) is_reached[edge.to] = true;
  }
  for (size_t i = cell.size(); i-- > 0;) {
    const Edge& edge = cell[i];
    if (edge.operation == "none" || !is_read[edge.to]) continue;
    is_read[edge.from] = true;
    is_live[i] = is_reached[edge.from];
  }
  return is_live;
}

/// Numbers the features: a block for each kind.
class CellEncoder {
 public:
  CellEncoder(size_t edges, size_t operations)
      : edges_(edges), operations_(operations), pairs_at_(edges * operations) {
    live_at_ = pairs_at_ + edges * (edges - 1) / 2 * operations * operations;
    counts_at_ = live_at_ + edges * operations;
    dead_at_ = counts_at_ + operations * (edges + 1);
  }

  size_t columns() const { return dead_at_ + 1; }

  std::vector<SparseFeature> encode(const Cell& cell, const std::vector<size_t>& operations) const {
    std::vector<SparseFeature> row;
    const auto add = [&](size_t column, double value) {
      row.push_back({static_cast<uint32_t>(column), value});
    };
    for (size_t i = 0; i < edges_; ++i) add(i * operations_ + operations[i], 1);
    size_t pair = 0;
    for (size_t i = 0; i < edges_; ++i) {
      for (size_t j = i + 1; j < edges_; ++j, ++pair) {
        add(pairs_at_ + (pair * operations_ + operations[i]) * operations_ + operations[j], 1);
      }
    }
    const std::vector<bool> is_live = live_edges(cell);
    std::vector<size_t> counts(operations_);
    for (size_t i = 0; i < edges_; ++i) {
      if (!is_live[i]) continue;
      add(live_at_ + i * operations_ + operations[i], 1);
      ++counts[operations[i]];
    }
    // The count as a number and as a case of its own.
    for (size_t operation = 0; operation < operations_; ++operation) {
      const size_t count = counts[operation];
      if (count == 0) continue;
      add(counts_at_ + operation * (edges_ + 1), static_cast<double>(count));
      add(counts_at_ + operation * (edges_ + 1) + count, 1);
    }
    if (std::ranges::find(is_live, true) == is_live.end()) add(dead_at_, 1);
    return row;
  }

 private:
  size_t edges_, operations_, pairs_at_, live_at_ = 0, counts_at_ = 0, dead_at_ = 0;
};

/// Adds X'X to `gram` and X'Y to `right`; the last row and column are those of the constant.
void add_row(std::span<const SparseFeature> row, std::span<const double> values, DenseMatrix& gram,
             DenseMatrix& right) {
  for (const SparseFeature& a : row) {
    for (const SparseFeature& b : row) gram.at(a.column, b.column) += a.value * b.value;
    for (size_t i = 0; i < values.size(); ++i) right.at(a.column, i) += a.value * values[i];
  }
}

}  // namespace

std::optional<CellFeatures> cell_features(std::span<const std::string> cells) {
  std::vector<Cell> parsed;
  std::map<std::string_view, size_t> operations;
  for (const std::string& text : cells) {
    auto cell = cell_of(text);
    if (!cell || !(parsed.empty() || has_same_edges(*cell, parsed.front()))) return std::nullopt;
    for (const Edge& edge : *cell) operations.try_emplace(edge.operation, operations.size());
    parsed.push_back(std::move(*cell));
  }
  if (parsed.empty()) return std::nullopt;
  const CellEncoder encoder(parsed.front().size(), operations.size());
  CellFeatures features;
  features.columns = encoder.columns();
  features.edges = parsed.front().size();
  features.operations = operations.size();
  for (const Cell& cell : parsed) {
    std::vector<size_t> numbers;
    for (const Edge& edge : cell) numbers.push_back(operations.at(edge.operation));
    features.rows.push_back(encoder.encode(cell, numbers));
  }
  return features;
}

DenseMatrix smoothed_columns(const SparseRows& features, const DenseMatrix& values) {
  const size_t constant = features.columns;
  DenseMatrix gram(constant + 1, constant + 1), right(constant + 1, values.columns);
  for (size_t i = 0; i <= constant; ++i) gram.at(i, i) = 1;
  std::vector<std::vector<SparseFeature>> rows = features.rows;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].push_back({static_cast<uint32_t>(constant), 1});
    add_row(rows[i], values.row(i), gram, right);
  }
  const DenseMatrix found = solve_positive(std::move(gram), std::move(right));
  DenseMatrix result(values.rows, values.columns);
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const SparseFeature& feature : rows[i]) {
      for (size_t j = 0; j < values.columns; ++j) {
        result.at(i, j) += feature.value * found.at(feature.column, j);
      }
    }
  }
  return result;
}

}  // namespace opbench
