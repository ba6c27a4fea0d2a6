#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

#include "prediction/trees/boosted_trees.h"
#include "tuning/tuners/expected_order.h"
#include "tuning/tuners/model_search.h"
#include "tuning/tuners/sparse_shuffle.h"
#include "tuning/tuners/taught_trees.h"
#include "tuning/tuners/tuner.h"

namespace opbench {
namespace {

constexpr size_t kFirst = 8;          // scores before it looks at neighbours
constexpr size_t kParents = 8;        // best configs whose neighbours are tried
constexpr size_t kLearn = 8;          // scores after which the trees are grown anew
constexpr size_t kLeastSamples = 16;  // that they learn from
constexpr int kRounds = 60;           // trees at most: small spaces, few samples
constexpr int kNeighbours = 48;       // of which the most promising is given
constexpr int kStrangers = 24;        // random configs among them
constexpr size_t kExpected = 48;      // and those of which the schedule expects most
constexpr size_t kTaught = 48;        // and those that other tasks say are best
constexpr size_t kMostRated = 4096;   // configs that they are asked about
constexpr double kExplore = 0.1;
constexpr double kOpbenchStep = 0.6;  // part of the changes that go to the next entity
constexpr double kTwice = 0.4;        // part of the neighbours with a second change

struct Scored {
  uint64_t config = 0;
  double score = 0;
};

/// At first configs that other tasks of the template say are best; where too little is known of
/// these, those of which the schedule itself expects most, or random ones where it has no word on
/// it; then the one among neighbours of the best that boosted trees, grown anew with every few
/// scores, think fastest. The trees learn by how much a score differs from what was expected, as
/// long as that goes the right way. Without their library any neighbour.
class OpbenchSearch : public Tuner {
 public:
  explicit OpbenchSearch(const TunerInput& input)
      : space_(input.space),
        size_(input.size),
        random_(input.seed, "opbench"),
        order_(input.size, random_),
        estimate_(input.estimate),
        features_(features_for(input), input.space, input.task),
        others_(features_for(input), input) {
    if (estimate_) expected_.emplace(input, random_);
  }

  void learn_from(const TunerInput& other, const std::vector<ScoredConfig>& configs) override {
    columns_ = std::max(columns_, features_.of(0).size());
    others_.add(other, configs, columns_);
  }

  std::vector<uint64_t> next(size_t count) override {
    if (others_.has_news()) ask_others();
    std::vector<uint64_t> configs;
    while (configs.size() < count) {
      const std::optional<uint64_t> config = propose();
      if (!config) break;
      configs.push_back(*config);
    }
    return configs;
  }

  void tell(uint64_t index, double score) override {
    visited_.insert(index);
    samples_.push_back({index, score});
    if (score > 0) best_.push_back({index, score});
    std::ranges::sort(best_, std::ranges::greater(), &Scored::score);
    if (best_.size() > kParents) best_.pop_back();
    ++unlearnt_;
  }

 private:
  /// Orders configs by what the trees of other tasks say. What cannot be learnt is left out.
  void ask_others() {
    auto trees = others_.fit(TreeObjective::kSquaredError, random_);
    if (!trees || !*trees) return;
    base_ = std::make_unique<BoostedTrees>(std::move(**trees));
    std::vector<uint64_t> configs;
    for (uint64_t i = 0; i < std::min<uint64_t>(size_, kMostRated); ++i)
      configs.push_back(size_ <= kMostRated ? i : random_.below(size_));
    const std::vector<float> ratings = ratings_of(configs);
    std::vector<size_t> order(configs.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) { return ratings[i]; });
    for (const size_t i : order) taught_.push_back(configs[i]);
  }

  /// What the trees of other tasks say; zeros without any.
  std::vector<float> ratings_of(const std::vector<uint64_t>& configs) {
    if (base_ != nullptr) {
      FeatureTable table{.columns = columns_};
      for (const uint64_t config : configs) table.add(features_.of(config));
      if (auto ratings = base_->predict(table)) return std::move(*ratings);
    }
    return std::vector<float>(configs.size(), 0.0F);
  }

  std::optional<uint64_t> propose() {
    const bool explores = samples_.size() < kFirst || best_.empty() || random_.uniform() < kExplore;
    if (!explores) {
      if (const auto promising = most_promising()) return promising;
    }
    if (samples_.size() < kFirst) {
      for (const uint64_t config : taught_) {
        if (visited_.insert(config).second) return config;
      }
    }
    if (expected_ && samples_.size() < kFirst) {
      const auto config = expected_->draw_apart(visited_);
      if (config && visited_.insert(*config).second) return config;
    }
    while (!order_.is_empty()) {
      const uint64_t config = order_.draw();
      if (visited_.insert(config).second) return config;
    }
    return std::nullopt;
  }

  std::optional<uint64_t> most_promising() {
    if (unlearnt_ >= kLearn && samples_.size() >= kLeastSamples) learn();
    std::vector<uint64_t> candidates;
    std::unordered_set<uint64_t> seen;
    const auto consider = [&](uint64_t config) {
      if (!visited_.contains(config) && seen.insert(config).second) candidates.push_back(config);
    };
    for (int i = 0; i < kNeighbours; ++i) {
      if (const auto config = neighbour()) consider(*config);
    }
    if (trees_ != nullptr) {
      for (int i = 0; i < kStrangers; ++i) consider(random_.below(size_));
      if (expected_) std::ranges::for_each(expected_->first(kExpected, visited_), consider);
      std::ranges::for_each(best_taught(), consider);
    }
    if (candidates.empty()) return std::nullopt;
    const uint64_t chosen = candidates[most_promising_of(candidates)];
    visited_.insert(chosen);
    return chosen;
  }

  std::vector<uint64_t> best_taught() const {
    std::vector<uint64_t> configs;
    for (const uint64_t config : taught_) {
      if (configs.size() == kTaught) break;
      if (!visited_.contains(config)) configs.push_back(config);
    }
    return configs;
  }

  /// By the trees, which say how much better than expected a config is; without them by what is
  /// expected alone; the first where nothing is known.
  size_t most_promising_of(const std::vector<uint64_t>& candidates) {
    std::vector<float> promises(candidates.size(), 1.0F);
    if (trees_ != nullptr) {
      if (auto predicted = trees_->predict(table_of(candidates))) promises = std::move(*predicted);
    }
    for (size_t i = 0; i < candidates.size(); ++i) {
      promises[i] /= static_cast<float>(time_expected(candidates[i]));
    }
    return static_cast<size_t>(std::ranges::max_element(promises) - promises.begin());
  }

  void learn() {
    unlearnt_ = 0;
    trusts_estimate_ = follows_estimate();
    std::vector<uint64_t> configs;
    std::vector<float> labels;
    double most = 0;
    std::vector<double> scores;
    for (const Scored& sample : samples_) {
      configs.push_back(sample.config);
      scores.push_back(sample.score * time_expected(sample.config));
      most = std::max(most, scores.back());
    }
    for (const double score : scores) {
      labels.push_back(static_cast<float>(most > 0 ? score / most : 0));
    }
    columns_ = std::max(columns_, features_.of(best_.front().config).size());
    auto trees = BoostedTrees::fit(table_of(configs), labels, {.most_rounds = kRounds});
    if (trees) trees_ = std::make_unique<BoostedTrees>(std::move(*trees));
  }

  FeatureTable table_of(const std::vector<uint64_t>& configs) {
    const std::vector<float> ratings = ratings_of(configs);
    FeatureTable table{.columns = columns_ + 2};
    for (size_t i = 0; i < configs.size(); ++i) {
      std::vector<float> row = features_.of(configs[i]);
      row.resize(columns_);
      row.push_back(ratings[i]);
      row.push_back(static_cast<float>(std::log(time_expected(configs[i]))));
      table.add(row);
    }
    return table;
  }

  /// 1 where nothing is known, or what is expected turned out wrong.
  double time_expected(uint64_t config) const {
    const double time = estimate_ && trusts_estimate_ ? estimate_(config) : 1;
    return time > 0 ? time : 1;
  }

  /// Whether configs were slower of which that was expected: the sign of the covariance of
  /// logarithms.
  bool follows_estimate() const {
    double count = 0, times = 0, scores = 0, products = 0;
    for (const Scored& sample : samples_) {
      const double time = estimate_ && sample.score > 0 ? estimate_(sample.config) : 0;
      if (time <= 0) continue;
      const double x = std::log(time), y = std::log(sample.score);
      count += 1;
      times += x;
      scores += y;
      products += x * y;
    }
    return count > 0 && products - times * scores / count < 0;
  }

  std::optional<uint64_t> neighbour() {
    // The better the likelier: the smaller of two places.
    const uint64_t place = std::min(random_.below(best_.size()), random_.below(best_.size()));
    auto digits = digits_of(space_, best_[place].config);
    if (!digits) return std::nullopt;
    change(*digits);
    if (random_.uniform() < kTwice) change(*digits);
    return index_of(space_, *digits);
  }

  void change(std::vector<size_t>& digits) {
    const auto knob = static_cast<size_t>(random_.below(digits.size()));
    const size_t count = space_.knobs[knob].entities.size();
    size_t& digit = digits[knob];
    if (random_.uniform() >= kOpbenchStep) {
      digit = static_cast<size_t>(random_.below(count));
    } else if (random_.below(2) == 0) {
      digit = std::min(digit + 1, count - 1);
    } else {
      digit -= digit == 0 ? 0 : 1;
    }
  }

  const ConfigSpace& space_;
  uint64_t size_;
  Random random_;
  SparseShuffle order_;
  std::function<double(uint64_t)> estimate_;
  std::optional<ExpectedOrder> expected_;  ///< if there is an estimate
  bool trusts_estimate_ = true;
  ConfigFeatures features_;
  size_t columns_ = 0;  ///< of the features
  TaughtTrees others_;
  std::unique_ptr<BoostedTrees> base_;  ///< fitted to configs of other tasks
  std::vector<uint64_t> taught_;        ///< configs by falling rating of these
  std::unique_ptr<BoostedTrees> trees_;
  std::unordered_set<uint64_t> visited_;  ///< given or told
  std::vector<Scored> samples_;
  std::vector<Scored> best_;  ///< by falling score
  size_t unlearnt_ = 0;       ///< scores since the trees were grown
};

std::unique_ptr<Tuner> make_opbench(const TunerInput& input) {
  return std::make_unique<OpbenchSearch>(input);
}

}  // namespace

TunerDef opbench_tuner() {
  return {.name = "opbench",
          .summary = "neighbours of the best that trees think fastest; trials shared out by gain",
          .make = make_opbench,
          .shares_trials = true};
}

}  // namespace opbench
