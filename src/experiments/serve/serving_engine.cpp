#include "experiments/serve/serving_engine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "base/system/memory.h"
#include "base/tensors/tensor_size.h"
#include "engines/client/handshake.h"

namespace opbench {
namespace {

Error engine_failed(const Failure& failure) {
  return Error{ErrorCode::kPartial, "the engine that serves failed"}.with("failure",
                                                                          to_text(failure));
}

}  // namespace

Result<void> check_memory_of(const std::vector<ServedPackages>& models, size_t in_flight) {
  double all = 0;
  std::vector<std::string> names, sizes;
  for (const ServedPackages& model : models) {
    const double bytes = model.bytes + static_cast<double>(in_flight) * model.value_bytes;
    names.push_back(model.model);
    sizes.push_back(model.model + " " + size_text(bytes));
    all += bytes;
  }
  auto room = check_room(all, join(names) + (names.size() > 1 ? " together" : ""));
  if (room) return {};
  return std::move(room)
      .error()
      .with("each", fmt::format("{}, with {} queries in flight", join(sizes), in_flight))
      .with("what helps", "a smaller --in-flight, or fewer models");
}

Result<Json> ServingEngine::call(const std::string& method, const Json& params, Seconds limit) {
  auto reply = process_->call(method, params, limit, cancel_);
  if (reply) return std::move(*reply);
  if (cancel_ != nullptr && *cancel_) return Error{ErrorCode::kInterrupted, "interrupted"};
  return engine_failed(reply.error());
}

Result<std::unique_ptr<ServingEngine>> ServingEngine::start(
    EngineCommand command, const std::vector<ServedPackages>& models, size_t in_flight,
    const std::atomic<bool>* cancel) {
  OPBENCH_CHECK(check_memory_of(models, in_flight));
  const std::vector<int> cpus = command.cpus;
  command.has_own_session = true;
  OPBENCH_TRY(std::unique_ptr<EngineProcess> process, EngineProcess::start(std::move(command)));
  std::unique_ptr<ServingEngine> engine(new ServingEngine(std::move(process), in_flight, cancel));
  OPBENCH_CHECK(engine->prepare(models, cpus));
  return engine;
}

Result<void> ServingEngine::prepare(const std::vector<ServedPackages>& models,
                                    const std::vector<int>& cpus) {
  constexpr Seconds kLimit{120};
  const auto hello =
      say_hello([&](const std::string& method,
                    const Json& params) { return process_->call(method, params, kLimit, cancel_); },
                {.threads = 1, .cpus = cpus});
  if (!hello) return engine_failed(hello.error());
  Json served = Json::array();
  for (const ServedPackages& model : models) {
    Json names = Json::array();
    for (const Preparation& preparation : model.by_team) {
      OPBENCH_TRY(Json params, parse_json(preparation.params, "preparation"));
      params["name"] = preparation.name;
      OPBENCH_TRY(const Json prepared, call("prepare", params, preparation.limit));
      names.push_back(preparation.name);
    }
    served.push_back(std::move(names));
  }
  OPBENCH_TRY(const Json reply,
              call("serve", {{"models", std::move(served)}, {"arenas", in_flight_}}, kLimit));
  has_raised_priority_ = reply.value("has_raised_priority", false);
  return {};
}

Result<EngineMoment> ServingEngine::advance(Json launches, double until_s) {
  constexpr Seconds kLimit{600};
  const Json params = {{"launches", std::move(launches)}, {"until_s", until_s}};
  OPBENCH_TRY(const Json reply, call("advance", params, kLimit));
  try {
    EngineMoment moment{.now_s = reply.at("now_s"), .ended = {}};
    for (const Json& one : reply.at("ended")) {
      if (const int code = one.at("code"); code != 0) {
        return Error{ErrorCode::kPartial,
                     fmt::format("a kernel of query {} returned {}", one.at("query").dump(), code)};
      }
      moment.ended.push_back(
          {one.at("query"), one.at("segments").get<std::vector<std::pair<double, double>>>()});
    }
    return moment;
  } catch (const Json::exception&) {
    return Error{ErrorCode::kPartial, "the engine's reply to advance cannot be read"};
  }
}

Json launch_json(const ServedModel& model, size_t model_index, int query, size_t arena, size_t team,
                 std::pair<size_t, size_t> segments, const std::vector<int>& workers) {
  Json steps = Json::array();
  for (size_t i = segments.first; i < segments.second; ++i) {
    const Segment& segment = model.segments[i];
    steps.push_back({segment.first_unit, segment.first_unit + segment.units});
  }
  return {{"query", query}, {"model", model_index},         {"arena", arena},
          {"size", team},   {"segments", std::move(steps)}, {"workers", workers}};
}

}  // namespace opbench
