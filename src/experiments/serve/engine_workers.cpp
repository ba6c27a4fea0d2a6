#include "experiments/serve/engine_workers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

#include "base/system/seconds.h"

namespace opbench {

EngineWorkers::EngineWorkers(ServingEngine& engine, const ServingSystem& system)
    : engine_(&engine), system_(&system), free_arenas_(system.models.size()) {
  for (std::vector<size_t>& arenas : free_arenas_) {
    for (size_t arena = engine.in_flight(); arena-- > 0;) arenas.push_back(arena);
  }
}

Result<EngineWorkers> EngineWorkers::begin(ServingEngine& engine, const ServingSystem& system) {
  constexpr double kLead = 1e-3;  // seconds, for the first request
  EngineWorkers workers(engine, system);
  OPBENCH_TRY(const EngineMoment now, engine.advance(Json::array(), 0));
  workers.now_s_ = now.now_s;
  workers.start_s_ = now.now_s + kLead;
  return workers;
}

Result<void> EngineWorkers::start(const StartedLaunch& launch) {
  if (!held_.contains(launch.query)) {
    std::vector<size_t>& arenas = free_arenas_[launch.model];
    if (arenas.empty()) {
      return Error{ErrorCode::kSystem, fmt::format("no arena is free for query {}", launch.query)};
    }
    held_[launch.query] = {launch.model, arenas.back(), launch.first_segment};
    arenas.pop_back();
  }
  asked_.push_back(launch);
  return {};
}

void EngineWorkers::forget(int query) {
  const auto held = held_.find(query);
  if (held == held_.end()) return;
  free_arenas_[held->second.model].push_back(held->second.arena);
  held_.erase(held);
}

Result<ServingEvent> EngineWorkers::wait(double until_ms) {
  constexpr double kHang = 60;  // seconds: no segment takes so long
  Json launches = Json::array();
  for (const StartedLaunch& one : std::exchange(asked_, {})) {
    launches.push_back(launch_json(system_->models[one.model], one.model, one.query,
                                   held_.at(one.query).arena, one.team,
                                   {one.first_segment, one.end_segment}, one.workers));
  }
  const bool has_limit = std::isfinite(until_ms);
  const double until_s = has_limit ? start_s_ + ms_to_s(until_ms) : now_s_ + kHang;
  OPBENCH_TRY(const EngineMoment moment, engine_->advance(std::move(launches), until_s));
  if (!has_limit && moment.ended.empty()) {
    return Error{ErrorCode::kPartial, fmt::format("no segment ended within {} s", kHang)};
  }
  now_s_ = moment.now_s;
  ServingEvent event{.now_ms = s_to_ms(moment.now_s - start_s_), .ended = {}};
  for (const ServedLaunch& launch : moment.ended) {
    for (const auto& [start_s, end_s] : launch.segments_s) {
      event.ended.push_back({launch.query, held_.at(launch.query).next_segment++,
                             s_to_ms(start_s - start_s_), s_to_ms(end_s - start_s_)});
    }
  }
  return event;
}

}  // namespace opbench
