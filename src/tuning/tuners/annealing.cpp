#include "tuning/tuners/annealing.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tuning/tuners/sparse_shuffle.h"

namespace opbench {
namespace {

/// The best distinct configs; of equal scores those that came first stay.
class BestConfigs {
 public:
  BestConfigs(size_t count, const std::unordered_set<uint64_t>& excluded)
      : count_(count), excluded_(excluded) {}

  /// Whether they changed.
  bool offer(uint64_t config, float score) {
    if (kept_.size() == count_ && (count_ == 0 || score <= kept_.begin()->score)) return false;
    if (excluded_.contains(config) || !known_.insert(config).second) return false;
    if (kept_.size() == count_) {
      known_.erase(kept_.begin()->config);
      kept_.erase(kept_.begin());
    }
    kept_.insert({score, config});
    return true;
  }

  std::vector<uint64_t> best_first() const {
    std::vector<uint64_t> configs;
    for (auto entry = kept_.rbegin(); entry != kept_.rend(); ++entry) {
      configs.push_back(entry->config);
    }
    return configs;
  }

 private:
  struct Entry {
    float score = 0;
    uint64_t config = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    auto operator<=>(const Entry&) const = default;
  };

  size_t count_;
  const std::unordered_set<uint64_t>& excluded_;
  std::set<Entry> kept_;
  std::unordered_set<uint64_t> known_;
};

}  // namespace

Annealing::Annealing(const ConfigSpace& space, uint64_t size, Random& random,
                     AnnealingOptions options)
    : space_(space), size_(size), random_(random), options_(options) {}

std::vector<std::vector<size_t>> Annealing::start() {
  std::vector<std::vector<size_t>> walkers;
  SparseShuffle configs(size_, random_);
  while (walkers.size() < options_.walkers && !configs.is_empty()) {
    walkers.push_back(*digits_of(space_, configs.draw()));
  }
  return walkers;
}

std::vector<size_t> Annealing::step(std::vector<size_t> digits) {
  if (size_ == 1) return digits;
  const std::vector<size_t> before = digits;
  while (digits == before) {
    const size_t knob = random_.below(digits.size());
    digits[knob] = random_.below(space_.knobs[knob].entities.size());
  }
  return digits;
}

std::vector<uint64_t> Annealing::indices(const std::vector<std::vector<size_t>>& walkers) const {
  std::vector<uint64_t> configs;
  configs.reserve(walkers.size());
  for (const std::vector<size_t>& digits : walkers) configs.push_back(index_of(space_, digits));
  return configs;
}

std::vector<uint64_t> Annealing::best_configs(const Scores& scores, size_t count,
                                              const std::unordered_set<uint64_t>& excluded) {
  constexpr double kLeastTemperature = 1e-5;
  if (walkers_.empty()) walkers_ = start();
  BestConfigs best(count, excluded);
  const std::vector<uint64_t> begin = indices(walkers_);
  std::vector<float> worth = scores(begin);
  for (size_t i = 0; i < begin.size(); ++i) best.offer(begin[i], worth[i]);
  double temperature = 1;
  const double cooling = 1.0 / (options_.steps + 1);
  for (int at = 0, changed_at = 0; at < options_.steps && at < changed_at + options_.patience;
       ++at, temperature -= cooling) {
    std::vector<std::vector<size_t>> moved = walkers_;
    for (std::vector<size_t>& digits : moved) digits = step(std::move(digits));
    const std::vector<uint64_t> configs = indices(moved);
    const std::vector<float> values = scores(configs);
    for (size_t i = 0; i < configs.size(); ++i) {
      const double gain = static_cast<double>(values[i]) - static_cast<double>(worth[i]);
      if (random_.uniform() < std::exp(std::min(gain / (temperature + kLeastTemperature), 1.0))) {
        walkers_[i] = std::move(moved[i]);
        worth[i] = values[i];
      }
      if (best.offer(configs[i], values[i])) changed_at = at;
    }
  }
  return best.best_first();
}

}  // namespace opbench
