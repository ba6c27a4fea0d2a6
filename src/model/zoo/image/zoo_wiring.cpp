#include "model/zoo/image/zoo_wiring.h"

#include <cassert>

namespace opbench {
namespace {

/// Which nodes are connected; an edge counts for both of its ends.
class Ring {
 public:
  explicit Ring(const WiringOptions& options)
      : connected_(options.nodes, std::vector<bool>(options.nodes)) {
    for (size_t hop = 1; hop <= options.degree / 2; ++hop) {
      for (size_t node = 0; node < options.nodes; ++node) set(node, after(node, hop), true);
    }
  }

  /// The node `hop` places further.
  size_t after(size_t node, size_t hop) const { return (node + hop) % connected_.size(); }

  /// Gives the edge between `node` and `other` another end than `other`. A node that is connected
  /// to all others keeps its edge.
  void rewire(size_t node, size_t other, Random& random) {
    std::vector<size_t> candidates;
    for (size_t to = 0; to < connected_.size(); ++to) {
      if (to != node && !connected_[node][to]) candidates.push_back(to);
    }
    if (candidates.empty()) return;
    set(node, other, false);
    set(node, candidates[random.below(candidates.size())], true);
  }

  std::vector<std::vector<size_t>> sources() const {
    std::vector<std::vector<size_t>> result(connected_.size());
    for (size_t to = 0; to < result.size(); ++to) {
      for (size_t from = 0; from < to; ++from) {
        if (connected_[from][to]) result[to].push_back(from);
      }
    }
    return result;
  }

 private:
  void set(size_t a, size_t b, bool is_connected) {
    connected_[a][b] = is_connected;
    connected_[b][a] = is_connected;
  }

  std::vector<std::vector<bool>> connected_;
};

}  // namespace

std::vector<std::vector<size_t>> random_wiring(const WiringOptions& options, Random random) {
  assert(options.degree % 2 == 0 && options.degree < options.nodes);
  Ring ring(options);
  for (size_t hop = 1; hop <= options.degree / 2; ++hop) {
    for (size_t node = 0; node < options.nodes; ++node) {
      if (random.uniform() < options.probability) ring.rewire(node, ring.after(node, hop), random);
    }
  }
  return ring.sources();
}

}  // namespace opbench
