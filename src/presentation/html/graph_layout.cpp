#include "presentation/html/graph_layout.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace opbench {
namespace {

constexpr double kWayWidth = 14;  // of an edge that passes a layer

std::vector<size_t> layers_of(const LayeredGraph& graph) {
  std::vector<std::pair<size_t, size_t>> edges = graph.edges;
  std::ranges::sort(edges);  // by their begins: a vertex has its layer before it is left
  std::vector<size_t> layer(graph.size, 0);
  for (const auto& [from, to] : edges) layer[to] = std::max(layer[to], layer[from] + 1);
  // What needs nothing stands right above the first that needs it.
  std::vector<bool> needs_some(graph.size, false);
  std::vector<size_t> first(graph.size, graph.size);
  for (const auto& [from, to] : edges) {
    needs_some[to] = true;
    first[from] = std::min(first[from], layer[to]);
  }
  for (size_t i = 0; i < graph.size; ++i) {
    if (!needs_some[i] && first[i] < graph.size) layer[i] = first[i] - 1;
  }
  return layer;
}

/// Boxes, then the passages of long edges.
struct LayoutSlot {
  size_t layer = 0;
  double width = 0, x = 0;
  std::vector<size_t> up, down;
};

class LayerPlacement {
 public:
  LayerPlacement(const LayeredGraph& graph, double box_width, double gap)
      : gap_(gap), layer_(layers_of(graph)) {
    for (size_t i = 0; i < graph.size; ++i) {
      slots_.push_back({.layer = layer_[i], .width = box_width});
    }
    for (const auto& [from, to] : graph.edges) add_way(from, to);
    const size_t layers = layer_.empty() ? 0 : *std::ranges::max_element(layer_) + 1;
    rows_.resize(layers);
    for (size_t i = 0; i < slots_.size(); ++i) rows_[slots_[i].layer].push_back(i);
  }

  GraphLayout place(size_t boxes) {
    order();
    align();
    GraphLayout layout{.layers = rows_.size()};
    double low = 0, high = 0;
    for (const LayoutSlot& slot : slots_) {
      low = std::min(low, slot.x - slot.width / 2);
      high = std::max(high, slot.x + slot.width / 2);
    }
    for (size_t i = 0; i < boxes; ++i) layout.boxes.push_back({slots_[i].layer, slots_[i].x - low});
    for (const auto& way : ways_) {
      EdgeWay one{.from = way.front(), .to = way.back()};
      for (const size_t slot : way) one.x.push_back(slots_[slot].x - low);
      layout.ways.push_back(std::move(one));
    }
    layout.width = high - low;
    return layout;
  }

 private:
  void add_way(size_t from, size_t to) {
    std::vector<size_t> way = {from};
    for (size_t layer = layer_[from] + 1; layer < layer_[to]; ++layer) {
      way.push_back(slots_.size());
      slots_.push_back({.layer = layer, .width = kWayWidth});
    }
    way.push_back(to);
    for (size_t i = 1; i < way.size(); ++i) {
      slots_[way[i - 1]].down.push_back(way[i]);
      slots_[way[i]].up.push_back(way[i - 1]);
    }
    ways_.push_back(std::move(way));
  }

  /// Sorts each row by the mean place of neighbours in the row before it, down and up in turns.
  void order() {
    std::vector<double> at(slots_.size());
    const auto number = [&](const std::vector<size_t>& row) {
      for (size_t i = 0; i < row.size(); ++i) at[row[i]] = static_cast<double>(i);
    };
    for (const auto& row : rows_) number(row);
    const auto sort_row = [&](std::vector<size_t>& row, std::vector<size_t> LayoutSlot::*side) {
      std::map<size_t, double> wish;
      for (const size_t slot : row) {
        const auto& others = slots_[slot].*side;
        double sum = 0;
        for (const size_t other : others) sum += at[other];
        wish[slot] = others.empty() ? at[slot] : sum / static_cast<double>(others.size());
      }
      std::ranges::stable_sort(row, [&](size_t a, size_t b) { return wish[a] < wish[b]; });
      number(row);
    };
    constexpr int kSweeps = 4;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (auto& row : rows_) sort_row(row, &LayoutSlot::up);
      for (size_t i = rows_.size(); i-- > 0;) sort_row(rows_[i], &LayoutSlot::down);
    }
  }

  double distance(size_t a, size_t b) const {
    return (slots_[a].width + slots_[b].width) / 2 + gap_;
  }

  /// As near to the wishes as the order allows: the mean of what fits from the left and from the
  /// right.
  void settle(const std::vector<size_t>& row, std::vector<double> wish) {
    std::vector<double> left = wish, right = wish;
    for (size_t i = 1; i < row.size(); ++i) {
      left[i] = std::max(left[i], left[i - 1] + distance(row[i - 1], row[i]));
    }
    for (size_t i = row.size(); i-- > 1;) {
      right[i - 1] = std::min(right[i - 1], right[i] - distance(row[i - 1], row[i]));
    }
    for (size_t i = 0; i < row.size(); ++i) slots_[row[i]].x = (left[i] + right[i]) / 2;
  }

  void align() {
    for (const auto& row : rows_) settle(row, std::vector<double>(row.size(), 0));
    const auto pull = [&](const std::vector<size_t>& row, std::vector<size_t> LayoutSlot::*side) {
      std::vector<double> wish;
      for (const size_t slot : row) {
        const auto& others = slots_[slot].*side;
        double sum = 0;
        for (const size_t other : others) sum += slots_[other].x;
        wish.push_back(others.empty() ? slots_[slot].x : sum / static_cast<double>(others.size()));
      }
      settle(row, std::move(wish));
    };
    constexpr int kSweeps = 6;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (const auto& row : rows_) pull(row, &LayoutSlot::up);
      for (size_t i = rows_.size(); i-- > 0;) pull(rows_[i], &LayoutSlot::down);
    }
  }

  double gap_ = 0;
  std::vector<size_t> layer_;
  std::vector<LayoutSlot> slots_;
  std::vector<std::vector<size_t>> ways_, rows_;
};

size_t count_groups(const std::vector<size_t>& group) {
  size_t count = 0;
  for (size_t i = 0; i < group.size(); ++i) count += group[i] == i ? 1 : 0;
  return count;
}

/// A vertex joins the only one that it needs, where nothing else needs that.
std::vector<size_t> chains(const LayeredGraph& graph) {
  std::vector<size_t> ins(graph.size), outs(graph.size), before(graph.size);
  for (const auto& [from, to] : graph.edges) {
    ++outs[from];
    ++ins[to];
    before[to] = from;
  }
  std::vector<size_t> group(graph.size);
  std::iota(group.begin(), group.end(), size_t{0});
  for (size_t i = 0; i < graph.size; ++i) {
    if (ins[i] == 1 && outs[before[i]] == 1) group[i] = group[before[i]];
  }
  return group;
}

}  // namespace

GraphLayout lay_out(const LayeredGraph& graph, double box_width, double gap) {
  return LayerPlacement(graph, box_width, gap).place(graph.size);
}

std::vector<size_t> grouped(const LayeredGraph& graph, size_t most) {
  std::vector<size_t> group(graph.size);
  std::iota(group.begin(), group.end(), size_t{0});
  if (graph.size <= most) return group;
  group = chains(graph);
  if (count_groups(group) <= most) return group;
  const std::vector<size_t> layer = layers_of(graph);
  const size_t layers = *std::ranges::max_element(layer) + 1;
  const size_t together = (layers + most - 1) / most;
  std::map<size_t, size_t> first;
  for (size_t i = 0; i < graph.size; ++i) {
    group[i] = first.emplace(layer[i] / together, i).first->second;
  }
  return group;
}

}  // namespace opbench
