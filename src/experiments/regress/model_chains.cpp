#include "experiments/regress/model_chains.h"

#include <algorithm>
#include <numeric>

namespace opbench {
namespace {

/// Who makes and who reads each value, by places of nodes.
struct ValueUse {
  size_t maker = 0;
  bool has_maker = false;
  std::vector<size_t> readers;
};

std::map<std::string, ValueUse> uses_of(const Graph& graph) {
  std::map<std::string, ValueUse> uses;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const std::string& output : graph.nodes[i].outputs) {
      uses[output].maker = i;
      uses[output].has_maker = true;
    }
    for (const std::string& input : graph.nodes[i].inputs) {
      std::vector<size_t>& readers = uses[input].readers;
      if (readers.empty() || readers.back() != i) readers.push_back(i);
    }
  }
  return uses;
}

}  // namespace

ModelChains::ModelChains(const Graph& graph) {
  const size_t count = graph.nodes.size();
  std::vector<size_t> chains(count);  // the first node of each one's chain
  std::iota(chains.begin(), chains.end(), size_t{0});
  for (const auto& [name, use] : uses_of(graph)) {
    if (name.empty() || !use.has_maker || use.readers.size() != 1) continue;
    const size_t a = chains[use.maker], b = chains[use.readers[0]];
    std::ranges::replace(chains, std::max(a, b), std::min(a, b));
  }
  std::vector<size_t> last(count);
  for (size_t i = 0; i < count; ++i) last[chains[i]] = i;
  for (size_t i = 0; i < count; ++i) {
    places_.emplace(graph.nodes[i].name, i);
    names_.push_back(graph.nodes[chains[i]].name + ".." + graph.nodes[last[chains[i]]].name);
  }
}

std::string ModelChains::chain_of(const std::vector<std::string>& nodes) const {
  size_t first = names_.size();
  for (const std::string& node : nodes) {
    const auto found = places_.find(node);
    if (found != places_.end()) first = std::min(first, found->second);
  }
  return first == names_.size() ? "" : names_[first];
}

}  // namespace opbench
