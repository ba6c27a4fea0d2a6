#include <fmt/format.h>

#include "experiments/findings/proposal.h"
#include "measuring/results/unit_totals.h"

namespace opbench {
namespace {

/// The engine that ran the model in the least time.
struct Rival {
  std::string engine;
  double ms = 0;
  std::string source;
  double relative = 0;  ///< how far its gain may be off, over the gain
};

void offer(Rival candidate, std::optional<Rival>& best) {
  if (candidate.ms > 0 && (!best || candidate.ms < best->ms)) best = std::move(candidate);
}

std::optional<Rival> fastest_rival(const FindingInput& input) {
  std::optional<Rival> best;
  for (const EngineResult& engine : input.result.engines) {
    const bool is_rival = engine.engine != input.engine.engine &&
                          engine.threads == input.engine.threads && engine.model.end_to_end &&
                          !engine.model.failure &&
                          why_no_verdict(clock_of(input.engine), clock_of(engine)).empty();
    if (is_rival) {
      offer({engine.engine, engine.model.end_to_end->median_ms, "measured beside it", 0.3}, best);
    }
  }
  if (best) return best;
  for (const StoredTime& time : input.stored_times) {
    if (time.engine == input.engine.engine) continue;
    offer({time.engine, time.median_ms, "in the store, on this machine", 0.5}, best);
  }
  return best;
}

std::vector<Proposal> look_at_engines(const FindingInput& input) {
  const double now = input.model_ms();
  const std::optional<Rival> rival = fastest_rival(input);
  if (!rival || now <= 0 || rival->ms >= now) return {};
  Proposal proposal;
  proposal.finding = {
      .finding = "run it with " + rival->engine,
      .where = place_of(input),
      .evidence = fmt::format("{:.3g} ms with {} ({}), {:.3g} ms with {}", rival->ms, rival->engine,
                              rival->source, now, input.engine.engine),
      .command = command_with(input.request, "--engine", rival->engine)};
  constexpr double kPercent = 100;
  expect(proposal.finding, kPercent * (now - rival->ms) / now, rival->relative);
  proposal.trial = input.request;
  proposal.trial.engines = {rival->engine};
  return {proposal};
}

}  // namespace

ProposalDef engine_proposal() {
  return {"engine", "another engine's time of the same model", look_at_engines};
}

}  // namespace opbench
