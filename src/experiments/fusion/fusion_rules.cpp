#include "experiments/fusion/fusion_rules.h"

#include "base/files/file.h"
#include "experiments/fusion/pair_probe.h"
#include "experiments/sessions/make_engine_run.h"

namespace opbench {
namespace {

constexpr int kRoundsOfALook = 4;

/// Looks until the times decide, the budget is spent or the last look is made.
Outcome<void> decide(PairProbe& probe, const FusionRequest& request, FusionRule& rule) {
  SteadyClock clock;
  const Seconds begin = clock.now();
  PairRounds rounds;
  for (int look = 0; look < kMostLooks; ++look) {
    const auto measured = probe.measure(kRoundsOfALook << look, rounds);
    if (!measured) return measured;
    rule.evidence = judge_fusion(rounds, request.seed);
    rule.rounds = rounds.size() * rounds.front().size();
    if (rule.evidence.verdict != FusionVerdict::kUndecided) break;
    if ((clock.now() - begin).count() > request.budget_s) break;
    if (request.cancel != nullptr && *request.cancel) break;
  }
  return {};
}

FusionRule rule_of(const FusionRequest& request, const std::string& engine,
                   const OperatorPair& pair) {
  FusionRule rule{.pair = pair.name(), .first = pair.first.name, .second = pair.second.name};
  const auto folder = TemporaryFolder::make();
  if (!folder) {
    rule.failure = folder.error().message;
    return rule;
  }
  auto probe = PairProbe::make(request, engine, pair, folder->path());
  if (!probe) {
    rule.failure = probe.error().message;
    return rule;
  }
  const auto decided = decide(**probe, request, rule);
  if (!decided) rule.failure = to_text(decided.error());
  rule.is_fused = (*probe)->says_fused();
  return rule;
}

/// In words, where the engine's own answer comes from.
std::string truth_of(const EngineDef& engine, const std::vector<FusionRule>& rules) {
  for (const FusionRule& rule : rules) {
    if (!rule.is_fused) continue;
    return engine.takes_packages ? "the units of our own fusion" : "the nodes of its own profile";
  }
  return "";
}

}  // namespace

std::optional<double> FusionScore::precision() const {
  const int64_t called = right_fused + wrong_fused;
  if (called == 0) return {};
  return static_cast<double>(right_fused) / static_cast<double>(called);
}

std::optional<double> FusionScore::recall() const {
  const int64_t fused = right_fused + missed_fused;
  if (fused == 0) return {};
  return static_cast<double>(right_fused) / static_cast<double>(fused);
}

FusionScore score_of(const std::vector<FusionRule>& rules) {
  FusionScore score;
  for (const FusionRule& rule : rules) {
    if (!rule.is_fused || !rule.failure.empty()) continue;
    ++score.judged;
    const FusionVerdict verdict = rule.evidence.verdict;
    if (verdict == FusionVerdict::kUndecided) ++score.undecided;
    if (verdict == FusionVerdict::kFused) {
      ++(*rule.is_fused ? score.right_fused : score.wrong_fused);
    } else if (*rule.is_fused) {
      ++score.missed_fused;
    }
  }
  return score;
}

Result<std::vector<EngineFusion>> find_fusion_rules(const FusionRequest& request) {
  std::vector<EngineDef> definitions;
  for (const std::string& engine : request.engines) {
    OPBENCH_TRY(EngineDef definition, find_engine(request.user_engines, engine));
    if (!definition.runs_models) {
      return Error{ErrorCode::kInvalidInput,
                   "engine \"" + engine + "\" runs single workloads, no pairs"};
    }
    definitions.push_back(std::move(definition));
  }
  std::vector<EngineFusion> found;
  const auto total = static_cast<int64_t>(definitions.size() * request.pairs.size());
  int64_t done = 0;
  for (const EngineDef& definition : definitions) {
    EngineFusion fusion{.engine = definition.name, .threads = request.threads};
    for (const OperatorPair& pair : request.pairs) {
      if (request.cancel != nullptr && *request.cancel) break;
      if (request.progress) {
        request.progress({.stage = "measure",
                          .engine = definition.name,
                          .item = pair.name(),
                          .done = done,
                          .total = total});
      }
      fusion.rules.push_back(rule_of(request, definition.name, pair));
      ++done;
    }
    fusion.truth = truth_of(definition, fusion.rules);
    found.push_back(std::move(fusion));
  }
  return found;
}

}  // namespace opbench
