#include "engines/package_engine/corun_request.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <utility>

#include "engines/interference/corun.h"
#include "engines/interference/neighbour.h"

namespace opbench {
namespace {

tl::unexpected<Failure> corun_request_invalid(std::string text) {
  return tl::make_unexpected(Failure{FailureKind::kInvalidConfig, std::move(text)});
}

Outcome<CorunSide> side_of(const Json& json, const FindStep& find) {
  if (json.contains("compute")) return compute_side();
  if (json.contains("neighbour")) {
    const Json& level = json.at("neighbour");
    return neighbour_side({level.value("bytes", int64_t{0}), level.value("duty", 1.0)});
  }
  const auto step = find(json.at("name").get<std::string>(), json.at("unit").get<size_t>());
  if (!step) return tl::make_unexpected(Failure{FailureKind::kRunError, step.error().message});
  return CorunSide{[bound = *step] { return bound->run(); }};
}

Json corun_request_json_of(const CorunResult& result) {
  Json rounds = Json::array();
  for (const CorunRound& round : result.rounds) {
    rounds.push_back({{"solo_s", round.solo_s},
                      {"together_s", round.together_s},
                      {"calls", round.calls},
                      {"disturbed_turns", round.disturbed_turns}});
  }
  return {{"rounds", std::move(rounds)},
          {"dropped", result.dropped},
          {"tries", result.tries},
          {"has_raised_priority", result.has_raised_priority}};
}

}  // namespace

Outcome<Json> answer_corun(const Json& params, const std::vector<int>& cpus, const FindStep& find) {
  if (cpus.size() < 2) return corun_request_invalid("a co-run needs two CPUs in hello's cpus");
  const Json& asked = params.at("sides");
  std::array<CorunSide, 2> sides;
  if (!asked.is_array() || asked.size() != sides.size())
    return corun_request_invalid("a co-run has two sides");
  for (size_t i = 0; i < sides.size(); ++i) {
    auto side = side_of(asked[i], find);
    if (!side) return tl::make_unexpected(side.error());
    sides[i] = std::move(*side);
  }
  CorunOptions options;
  options.cpus = {cpus[0], cpus[1]};
  options.rounds = params.value("rounds", options.rounds);
  options.most_tries = params.value("most_tries", options.most_tries);
  options.window_s = params.value("window_s", options.window_s);
  options.limit_s = params.value("limit_s", options.limit_s);
  options.seed = params.value("seed", options.seed);
  const auto result = run_corun(sides, options);
  if (!result) return tl::make_unexpected(result.error());
  return corun_request_json_of(*result);
}

}  // namespace opbench
