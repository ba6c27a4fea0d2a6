#include "experiments/serve/measured_serving.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/system/seconds.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/serve/engine_workers.h"
#include "experiments/unit_times/unit_times.h"
#include "machine/resources/priority.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kRunLimit = 60;  // seconds

/// Runs one launch alone and waits for its end.
Result<ServedLaunch> run_alone(ServingEngine& engine, Json launch) {
  Json launches = Json::array();
  launches.push_back(std::move(launch));
  OPBENCH_TRY(const EngineMoment now, engine.advance(Json::array(), 0));
  OPBENCH_TRY(EngineMoment moment, engine.advance(std::move(launches), now.now_s + kRunLimit));
  if (moment.ended.size() == 1) return std::move(moment.ended.front());
  return Error{ErrorCode::kPartial, fmt::format("a model ran for more than {} s", kRunLimit)};
}

/// Ours, which is compared with all others; else any.
std::string control_variant(const std::vector<std::string>& variants) {
  const std::string ours = std::string(kOurPolicy) + " ";
  for (const std::string& name : variants) {
    if (name.starts_with(ours)) return name;
  }
  return variants.empty() ? "" : variants.front();
}

std::vector<int> first_workers(int count) {
  std::vector<int> workers(static_cast<size_t>(count));
  std::iota(workers.begin(), workers.end(), 0);
  return workers;
}

Result<double> launch_ms(ServingEngine& engine, const ServingSystem& system) {
  constexpr int kLaunches = 201;
  const size_t team = system.teams.size() - 1;  // has the most to wake
  std::vector<double> times_ms;
  OPBENCH_TRY(EngineMoment last, engine.advance(Json::array(), 0));
  for (int i = 0; i < kLaunches; ++i) {
    Json launches = Json::array(
        {launch_json(system.models[0], 0, i, 0, team, {0, 0}, first_workers(system.workers))});
    OPBENCH_TRY(const EngineMoment moment,
                engine.advance(std::move(launches), last.now_s + kRunLimit));
    times_ms.push_back(s_to_ms(moment.now_s - last.now_s));
    last = moment;
  }
  return median(times_ms);
}

/// The session has an engine run for each size of team.
ServedPackages packages_of(Session& session, size_t index) {
  ServedPackages packages{.model = session.model().name, .by_team = {}};
  for (const EngineRun& engine_run : session.engine_runs()) {
    Preparation preparation = engine_run.built.setup.preparations.front();
    preparation.name = fmt::format("{}/{}", index, packages.by_team.size());
    packages.by_team.push_back(std::move(preparation));
    const auto& memory = engine_run.found.result.model.memory;
    if (!memory) continue;
    packages.bytes += static_cast<double>(memory->value_bytes + memory->weight_bytes);
    packages.value_bytes = static_cast<double>(memory->value_bytes);
  }
  return packages;
}

}  // namespace

Result<ServedModels> ServedModels::open(const ServeRequest& request) {
  ServedModels served;
  std::vector<ServedPackages> packages;
  for (const ServedName& name : request.models) {
    ModelSpec spec = request.run.model;
    spec.name = name.name;
    spec.is_zoo = name.is_zoo;
    OPBENCH_TRY(std::unique_ptr<Session> made,
                Session::make(std::move(spec),
                              variants_of({package_engine().name}, team_sizes(request.workers),
                                          request.run.settings),
                              request.run.measure, request.run.hooks));
    Session& session = *served.sessions_.emplace_back(std::move(made));
    packages.push_back(packages_of(session, packages.size()));
  }
  // The largest team has all CPUs.
  const EngineRun& engine_run = served.sessions_.front()->engine_runs().back();
  served.sessions_.front()->report("start", engine_run.asked.definition.name, "to serve", 0, 0);
  OPBENCH_TRY(served.engine_,
              ServingEngine::start(engine_run.asked.definition.command(engine_run.asked.options),
                                   packages, request.in_flight, request.run.hooks.cancel));
  return served;
}

Result<double> ServedModels::time_segments(ServingSystem& system) {
  constexpr int kRuns = 21;
  const FirstTurns controller_first;
  // By model, segment and team.
  std::vector<std::vector<std::vector<std::vector<double>>>> times;
  for (const ServedModel& model : system.models) {
    times.emplace_back(model.segments.size(),
                       std::vector<std::vector<double>>(system.teams.size()));
  }
  for (int run = 0; run < kRuns; ++run) {
    for (size_t model = 0; model < system.models.size(); ++model) {
      const size_t count = system.models[model].segments.size();
      for (size_t team = 0; team < system.teams.size(); ++team) {
        OPBENCH_TRY(
            const ServedLaunch launch,
            run_alone(*engine_, launch_json(system.models[model], model, run, 0, team, {0, count},
                                            first_workers(system.teams[team]))));
        for (size_t i = 0; i < launch.segments_s.size(); ++i) {
          const auto& [start_s, end_s] = launch.segments_s[i];
          times[model][i][team].push_back(s_to_ms(end_s - start_s));
        }
      }
    }
  }
  for (size_t model = 0; model < system.models.size(); ++model) {
    for (size_t i = 0; i < system.models[model].segments.size(); ++i) {
      for (size_t team = 0; team < system.teams.size(); ++team) {
        system.models[model].segments[i].times_ms[team] = median(times[model][i][team]);
      }
    }
  }
  return launch_ms(*engine_, system);
}

Result<ServingStudy> ServedModels::measure(const ServingSystem& system, StudyOptions options,
                                           std::vector<std::string> variants) {
  const FirstTurns controller_first;
  options.variants = std::move(variants);
  options.control = control_variant(options.variants);
  const ControllerOptions controller{.predicted = options.serving.predicted,
                                     .most_in_flight = engine_->in_flight()};
  options.serve = [&](const std::vector<Query>& queries, const PolicyDef& policy,
                      const PolicyVariant& variant) -> Result<ServingRun> {
    OPBENCH_TRY(EngineWorkers workers, EngineWorkers::begin(*engine_, system));
    return serve_queries(system, queries, policy, variant, controller, workers);
  };
  return study_serving(system, options);
}

std::vector<std::string> variants_to_measure(const ServingStudy& simulated) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::count(names, name) == 0) names.push_back(name);
  };
  for (const LoadResult& load : simulated.loads) {
    std::map<std::string, const PolicyResult*> best;  // by policy
    for (const PolicyResult& one : load.results) {
      const PolicyResult*& known = best[one.policy];
      const auto violations = [](const PolicyResult& result) {
        return result.mean(&ServingFigures::violations).value;
      };
      // Ours is compared by its first variant.
      const bool is_first = known == nullptr;
      if (is_first || (one.policy != kOurPolicy && violations(one) < violations(*known))) {
        known = &one;
      }
    }
    for (const auto& [policy, result] : best) add(result->name());
  }
  return names;
}

}  // namespace opbench
