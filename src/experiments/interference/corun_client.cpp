#include "experiments/interference/corun_client.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace opbench {
namespace {

constexpr Seconds kSlack{20};  // for what a request does besides its rounds

std::string name_of(size_t subject, size_t copy) { return fmt::format("{}/{}", subject, copy); }

EngineSetup setup_of(const std::vector<const EngineRun*>& engine_runs,
                     const std::array<int, 2>& cpus, uint64_t seed) {
  const EngineRun& first = *engine_runs.front();
  EngineOptions options = first.asked.options;
  options.cpus = {cpus.begin(), cpus.end()};
  EngineCommand command = first.asked.definition.command(options);
  command.has_own_session = true;
  EngineSetup setup;
  setup.start = process_starter(std::move(command), seed);
  setup.threads = 1;
  setup.cpus = options.cpus;
  for (size_t subject = 0; subject < engine_runs.size(); ++subject) {
    for (const size_t copy : {size_t{0}, size_t{1}}) {
      Preparation preparation = engine_runs[subject]->built.setup.preparations.front();
      preparation.name = name_of(subject, copy);
      setup.preparations.push_back(std::move(preparation));
    }
  }
  return setup;
}

tl::unexpected<Failure> bad_reply(const std::string& method) {
  return tl::make_unexpected(
      Failure{FailureKind::kRunError, "the engine's reply to " + method + " cannot be read"});
}

/// What a party is in the request. `copy`: of the package, another one for each side.
Json side_json(const CorunParty& party, size_t copy, const std::vector<PreparedStep>& steps,
               const std::vector<InterferenceLevel>& levels) {
  if (party.kind == CorunParty::Kind::kCompute) return {{"compute", true}};
  if (party.kind == CorunParty::Kind::kLevel) {
    const InterferenceLevel& level = levels.at(party.index);
    return {{"neighbour", {{"bytes", level.bytes}, {"duty", level.duty}}}};
  }
  const PreparedStep& step = steps.at(party.index);
  return {{"name", name_of(step.subject, copy)}, {"unit", step.unit}};
}

/// Swaps the sides back where they were swapped.
Outcome<void> add_rounds(const Json& reply, bool is_swapped, CorunItem& item) {
  try {
    for (const Json& one : reply.at("rounds")) {
      SlowdownRound round;
      for (size_t side = 0; side < 2; ++side) {
        const size_t at = is_swapped ? 1 - side : side;
        round.solo_s[side] = one.at("solo_s").at(at);
        round.together_s[side] = one.at("together_s").at(at);
      }
      item.rounds.push_back(round);
      item.disturbed_turns += one.at("disturbed_turns").get<int64_t>();
    }
    for (const auto& [cause, count] : reply.at("dropped").items()) {
      item.dropped[cause] += count.get<int64_t>();
    }
  } catch (const Json::exception&) {
    return bad_reply("corun");
  }
  return {};
}

}  // namespace

CorunClient::CorunClient(const std::vector<const EngineRun*>& engine_runs,
                         const std::array<int, 2>& cpus, uint64_t seed)
    : runner_({setup_of(engine_runs, cpus, seed)}) {
  for (const Preparation& preparation : runner_.preparations(0)) names_.push_back(preparation.name);
}

Outcome<void> CorunClient::start(int processes) {
  if (const auto started = runner_.start(0, processes); !started) return started;
  for (int process = 0; process < processes; ++process) {
    for (const std::string& name : names_) {
      const auto prepared = runner_.prepared(0, process, name);
      if (!prepared) return tl::make_unexpected(prepared.error());
    }
  }
  return {};
}

Outcome<std::vector<double>> CorunClient::in_model_seconds(size_t subject, int runs) {
  constexpr Seconds kLimit{120};
  const auto reply =
      runner_.call(0, 0, name_of(subject, 0), "profile", Json{{"runs", runs}}, kLimit);
  if (!reply) return tl::make_unexpected(reply.error());
  std::vector<std::vector<double>> by_step;
  try {
    for (const Json& run : reply->at("runs")) {
      const auto steps = run.at("units_s").get<std::vector<double>>();
      by_step.resize(steps.size());
      for (size_t i = 0; i < steps.size(); ++i) by_step[i].push_back(steps[i]);
    }
  } catch (const Json::exception&) {
    return bad_reply("profile");
  }
  std::vector<double> seconds;
  // Others that use the CPU only ever add time.
  for (const std::vector<double>& times : by_step) seconds.push_back(std::ranges::min(times));
  return seconds;
}

Outcome<void> CorunClient::visit(CorunItem& item, const CorunVisit& visit,
                                 const std::vector<PreparedStep>& steps,
                                 const std::vector<InterferenceLevel>& levels) {
  constexpr int kTriesPerRound = 20;
  ++item.visits;
  Json sides = Json::array();
  for (size_t side = 0; side < 2; ++side) {
    const size_t at = visit.is_swapped ? 1 - side : side;
    sides.push_back(side_json(item.parties[at], side, steps, levels));
  }
  const Json params = {{"sides", std::move(sides)},
                       {"rounds", visit.rounds},
                       {"most_tries", visit.rounds * kTriesPerRound},
                       {"limit_s", visit.limit_s},
                       {"seed", visit.seed}};
  // A process that died is started again, without what is prepared in it.
  Outcome<void> done;
  for (const std::string& name : names_) {
    const auto prepared = runner_.prepared(0, visit.process, name);
    if (!prepared) done = tl::make_unexpected(prepared.error());
  }
  if (done) {
    const auto reply =
        runner_.call(0, visit.process, "", "corun", params, kSlack + Seconds(2 * visit.limit_s));
    done = reply ? add_rounds(*reply, visit.is_swapped, item)
                 : Outcome<void>(tl::make_unexpected(reply.error()));
    if (reply) has_raised_priority_ = reply->value("has_raised_priority", false);
  }
  if (!done) item.failure = done.error();
  return done;
}

}  // namespace opbench
