#include "planning/serve/serving_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/numbers/random.h"
#include "base/system/seconds.h"

namespace opbench {
namespace {

using Figure = double ServingFigures::*;

std::vector<double> values_of(const PolicyResult& result, Figure figure) {
  std::vector<double> values;
  for (const ServingFigures& one : result.by_seed) values.push_back(one.*figure);
  return values;
}

/// The place of the fewest violations among those that count; nothing where none does.
template <class Counts>
std::optional<size_t> best_of(const std::vector<PolicyResult>& results, Counts counts) {
  std::optional<size_t> best;
  double fewest = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!counts(results[i])) continue;
    const double violations = results[i].mean(&ServingFigures::violations).value;
    if (best && violations >= fewest) continue;
    best = i;
    fewest = violations;
  }
  return best;
}

void judge(LoadResult& load) {
  const auto& results = load.results;
  load.winner = best_of(results, [](const auto&) { return true; }).value_or(0);
  const auto ours = std::ranges::find(results, kOurPolicy, &PolicyResult::policy);
  const auto baseline = best_of(results, [](const auto& one) { return one.is_baseline; });
  if (ours != results.end() && baseline) {
    load.comparison =
        compare_paired(results, static_cast<size_t>(ours - results.begin()), *baseline);
    return;
  }
  const std::string& winner = results[load.winner].policy;
  const auto other = best_of(results, [&](const auto& one) { return one.policy != winner; });
  if (other) load.comparison = compare_paired(results, load.winner, *other);
}

struct Contender {
  const PolicyDef* policy = nullptr;
  const PolicyVariant* variant = nullptr;
};

/// Baselines first.
Result<std::vector<Contender>> contenders_of(const StudyOptions& options) {
  std::vector<Contender> contenders;
  for (const std::string& name :
       options.policies.empty() ? policy_table().names() : options.policies) {
    OPBENCH_TRY(const PolicyDef* policy, policy_table().find(name));
    for (const PolicyVariant& variant : policy->variants) {
      const std::string full_name = policy->name + " " + variant.name;
      const bool counts =
          options.variants.empty() || std::ranges::count(options.variants, full_name) > 0;
      if (counts) contenders.push_back({policy, &variant});
    }
  }
  std::ranges::stable_partition(contenders,
                                [](const auto& one) { return one.policy->is_baseline; });
  return contenders;
}

/// The contender that serves twice; nothing without a control.
std::optional<size_t> control_of(const std::vector<Contender>& contenders,
                                 const std::string& control) {
  for (size_t i = 0; i < contenders.size(); ++i) {
    if (contenders[i].policy->name + " " + contenders[i].variant->name == control) return i;
  }
  return std::nullopt;
}

ServingControl judged_control(const PolicyResult& first, const PolicyResult& second) {
  std::vector<double> differences;
  for (size_t seed = 0; seed < first.by_seed.size(); ++seed) {
    differences.push_back(second.by_seed[seed].violations - first.by_seed[seed].violations);
  }
  return {first.name(), mean_over_seeds(differences, {-1, 1})};
}

Result<void> check_options(const StudyOptions& options) {
  const auto invalid = [](std::string message) { return invalid_input(std::move(message)); };
  if (options.seeds < 1) return invalid(fmt::format("{} seeds are too few", options.seeds));
  if (options.queries.count < 1) {
    return invalid(fmt::format("{} queries are too few", options.queries.count));
  }
  for (const double load : options.loads) {
    if (!(load > 0)) return invalid(fmt::format("load {} is not above 0", load));
  }
  return {};
}

}  // namespace

SeedMean PolicyResult::mean(Figure figure) const {
  return mean_over_seeds(values_of(*this, figure), range_of(figure));
}

PairedComparison compare_paired(const std::vector<PolicyResult>& results, size_t first,
                                size_t second) {
  std::vector<double> violations, goodput;
  for (size_t seed = 0; seed < results[first].by_seed.size(); ++seed) {
    const ServingFigures& a = results[first].by_seed[seed];
    const ServingFigures& b = results[second].by_seed[seed];
    violations.push_back(a.violations - b.violations);
    // A baseline that answers nothing in time has no ratio.
    if (b.goodput_per_s > 0) goodput.push_back(a.goodput_per_s / b.goodput_per_s);
  }
  const Interval ratios{0, std::numeric_limits<double>::infinity()};
  return {first, second, mean_over_seeds(violations, {-1, 1}), mean_over_seeds(goodput, ratios)};
}

Result<ServingStudy> study_serving(const ServingSystem& system, const StudyOptions& options) {
  OPBENCH_CHECK(check_serving(system));
  OPBENCH_CHECK(check_options(options));
  OPBENCH_TRY(std::vector<Contender> contenders, contenders_of(options));
  const std::optional<size_t> control = control_of(contenders, options.control);
  if (control) contenders.push_back(contenders[*control]);
  const auto simulated = [&](const std::vector<Query>& queries, const PolicyDef& policy,
                             const PolicyVariant& variant) {
    return simulate_serving(system, queries, policy, variant, options.serving);
  };
  const ServeOnce serve = options.serve ? options.serve : simulated;
  ServingStudy study{.capacity_per_s = capacity_per_ms(system) * kMsPerSecond};
  for (size_t i = 0; i < system.models.size(); ++i) study.solo_ms.push_back(solo_ms(system, i));
  const int total = static_cast<int>(options.loads.size()) * options.seeds;
  int done = 0;
  for (const double load : options.loads) {
    LoadResult at_load{.load = load};
    for (const auto& [policy, variant] : contenders) {
      at_load.results.push_back({policy->name, variant->name, policy->is_baseline, {}});
    }
    for (int seed = 0; seed < options.seeds; ++seed) {
      if (options.should_stop && options.should_stop()) {
        return Error{ErrorCode::kInterrupted, "interrupted while queries were served"};
      }
      QueryOptions drawn = options.queries;
      drawn.load = load;
      drawn.seed += static_cast<uint64_t>(seed);
      const std::vector<Query> queries = make_queries(system, drawn);
      for (const size_t at : Random(drawn.seed, "order").shuffled(contenders.size())) {
        const auto& [policy, variant] = contenders[at];
        OPBENCH_TRY(const ServingRun run, serve(queries, *policy, *variant));
        at_load.results[at].by_seed.push_back(figures_of(system, queries, run));
      }
      if (options.progress) options.progress(++done, total);
    }
    if (control) {
      const PolicyResult again = std::move(at_load.results.back());
      at_load.results.pop_back();
      at_load.control = judged_control(at_load.results[*control], again);
    }
    judge(at_load);
    study.loads.push_back(std::move(at_load));
  }
  return study;
}

}  // namespace opbench
