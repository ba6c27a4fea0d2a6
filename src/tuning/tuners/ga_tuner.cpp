#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_set>

#include "base/numbers/random.h"
#include "tuning/tuners/sparse_shuffle.h"
#include "tuning/tuners/tuner.h"

namespace opbench {
namespace {

constexpr size_t kElite = 3;
constexpr double kMutation = 0.1;

/// AutoTVM's 100 from 40 000 configs on. In a smaller space so many random configs find the best
/// ones by themselves, before any is bred.
size_t population_of(uint64_t size) {
  constexpr double kFewest = 8, kMost = 100;
  return static_cast<size_t>(std::clamp(std::sqrt(static_cast<double>(size)) / 2, kFewest, kMost));
}

using Gene = std::vector<size_t>;  // the digits of a config

struct Member {
  Gene gene;
  double score = 0;
};

/// AutoTVM's genetic search (docs/reference/tuners.md, "Genetic search"): generations of configs,
/// made by crossing two parents drawn by their scores at one place and changing digits at random.
class GeneticSearch : public Tuner {
 public:
  GeneticSearch(const ConfigSpace& space, uint64_t size, uint64_t seed)
      : space_(space),
        size_(size),
        population_(population_of(size)),
        random_(seed, "ga"),
        draws_(seed, "random"),
        shuffle_(size, draws_) {}

  std::vector<uint64_t> next(size_t count) override {
    if (queue_.empty() && pending_.empty()) breed();
    std::vector<uint64_t> configs;
    for (; configs.size() < count && !queue_.empty(); queue_.pop_front()) {
      if (known_.contains(queue_.front())) continue;  // told meanwhile
      configs.push_back(queue_.front());
      pending_.insert(queue_.front());
    }
    return configs;
  }

  void tell(uint64_t index, double score) override {
    auto digits = digits_of(space_, index);
    if (!digits || !known_.insert(index).second) return;
    pending_.erase(index);
    made_.insert(index);
    generation_.push_back({std::move(*digits), score});
    // A log may hold any number of them.
    if (generation_.size() > population_) generation_.pop_front();
  }

 private:
  void breed() {
    if (made_.size() >= size_) return;
    if (size_ - made_.size() <= population_) {
      for (uint64_t config = 0; config < size_; ++config) add(config);
      return;
    }
    if (generation_.size() + elites_.size() < population_) {
      // The first one; what a log told belongs to it.
      for (size_t i = generation_.size(); i < population_; ++i) add(random_config());
      return;
    }
    std::vector<Member> pool(generation_.begin(), generation_.end());
    pool.insert(pool.end(), elites_.begin(), elites_.end());
    std::ranges::stable_sort(pool, std::ranges::greater(), &Member::score);
    elites_.assign(pool.begin(), pool.begin() + kElite);
    generation_.clear();
    for (size_t i = 0; i < population_; ++i) add(unmade(mutated(child_of(pool))));
  }

  void add(uint64_t config) {
    if (made_.insert(config).second) queue_.push_back(config);
  }

  /// One that was never made; there is one, as above.
  uint64_t random_config() {
    uint64_t config = shuffle_.draw();
    while (made_.contains(config)) config = shuffle_.draw();
    return config;
  }

  /// One of the pool, with a chance in proportion to its score, but not `other`.
  size_t parent(const std::vector<Member>& pool, size_t other) {
    constexpr double kLeast = 1e-8;
    double total = 0;
    for (size_t i = 0; i < pool.size(); ++i) total += i == other ? 0 : pool[i].score + kLeast;
    double left = random_.uniform() * total;
    size_t chosen = other == 0 ? 1 : 0;
    for (size_t i = 0; i < pool.size(); ++i) {
      if (i == other) continue;
      chosen = i;
      left -= pool[i].score + kLeast;
      if (left < 0) break;
    }
    return chosen;
  }

  Gene child_of(const std::vector<Member>& pool) {
    const size_t first = parent(pool, pool.size());
    const size_t second = parent(pool, first);
    Gene child = pool[first].gene;
    const auto cut = static_cast<std::ptrdiff_t>(random_.below(child.size()));
    std::copy(pool[second].gene.begin() + cut, pool[second].gene.end(), child.begin() + cut);
    return child;
  }

  Gene mutated(Gene gene) {
    for (size_t i = 0; i < gene.size(); ++i) {
      if (random_.uniform() < kMutation) gene[i] = random_.below(space_.knobs[i].entities.size());
    }
    return gene;
  }

  /// A config that was never made: the gene, with digits changed until it is one. There is one, as
  /// more than a population are left.
  uint64_t unmade(Gene gene) {
    while (made_.contains(index_of(space_, gene))) {
      const size_t i = random_.below(gene.size());
      gene[i] = random_.below(space_.knobs[i].entities.size());
    }
    return index_of(space_, gene);
  }

  const ConfigSpace& space_;
  uint64_t size_;
  size_t population_;
  Random random_;
  Random draws_;  ///< draws the same ones as the tuner `random`, so that searches compare
  SparseShuffle shuffle_;
  std::deque<uint64_t> queue_;            ///< of the generation, still to be given
  std::unordered_set<uint64_t> pending_;  ///< given, not told
  std::unordered_set<uint64_t> made_;     ///< in any generation, or told
  std::unordered_set<uint64_t> known_;    ///< told
  std::deque<Member> generation_;         ///< with scores
  std::vector<Member> elites_;
};

std::unique_ptr<Tuner> make_ga(const TunerInput& input) {
  return std::make_unique<GeneticSearch>(input.space, input.size, input.seed);
}

}  // namespace

TunerDef ga_tuner() {
  return {.name = "ga",
          .summary = "generations of up to 100 points, crossed and mutated by score",
          .make = make_ga};
}

}  // namespace opbench
