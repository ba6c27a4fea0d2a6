#include "engines/package_engine/serve_request.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "base/errors/error_line.h"
#include "base/system/monotonic_clock.h"
#include "engines/runtime/executor.h"
#include "machine/resources/pinning.h"
#include "machine/resources/priority.h"

namespace opbench {
namespace {

constexpr size_t kMostArenas = 1024;

tl::unexpected<Failure> serve_request_invalid(std::string text) {
  return tl::make_unexpected(Failure{FailureKind::kInvalidConfig, std::move(text)});
}

tl::unexpected<Failure> run_error(std::string text) {
  return tl::make_unexpected(Failure{FailureKind::kRunError, std::move(text)});
}

std::vector<Tensor> outputs_of(const QueryArena& arena, const Program& program) {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < program.outputs.size(); ++i) outputs.push_back(arena.output(i));
  return outputs;
}

Json serve_request_json_of(const EndedLaunch& ended) {
  Json segments = Json::array();
  for (const SegmentTime& time : ended.segments) segments.push_back({time.start_s, time.end_s});
  return {{"query", ended.query}, {"segments", std::move(segments)}, {"code", ended.code}};
}

}  // namespace

Outcome<Json> ServedQueries::serve(const Json& params, const std::vector<int>& cpus,
                                   const FindPackage& find) {
  end();
  if (cpus.empty()) return serve_request_invalid("serving needs hello's cpus, one a worker");
  const size_t arenas = params.value("arenas", size_t{1});
  if (arenas < 1 || arenas > kMostArenas) {
    return serve_request_invalid(fmt::format("{} arenas, not 1 to {}", arenas, kMostArenas));
  }
  for (const Json& model : params.at("models")) {
    if (const auto added = add_model(model, arenas, find); !added) {
      end();
      return tl::make_unexpected(added.error());
    }
  }
  const bool is_raised = raise_priority() && raise_session();
  // Whichever CPU is idle takes the requests, so that they wait for no segment.
  static_cast<void>(pin_this_thread(cpus));
  workers_ = std::make_unique<SegmentWorkers>(cpus);
  take_turns_first();
  return Json{{"has_raised_priority", is_raised}, {"now_s", monotonic_s()}};
}

Outcome<void> ServedQueries::add_model(const Json& asked, size_t arenas, const FindPackage& find) {
  Served& served = models_.emplace_back();
  for (const Json& name : asked) {
    LoadedPackage* package = find(name.get<std::string>());
    if (package == nullptr) return run_error("nothing is prepared as " + name.dump());
    served.packages.push_back(package);
  }
  if (served.packages.empty()) return serve_request_invalid("a served model needs a package");
  for (size_t i = 0; i < arenas; ++i) {
    auto arena = QueryArena::make(served.packages);
    if (!arena) return run_error(one_line_text(arena.error()));
    served.arenas.push_back(std::move(*arena));
  }
  return check_outputs(served);
}

/// Every package's steps on an arena of queries, whose memory holds no earlier value, make the bits
/// that they make on the package's own.
Outcome<void> ServedQueries::check_outputs(Served& served) const {
  QueryArena& arena = *served.arenas.front();
  Team alone(1);
  for (size_t size = 0; size < served.packages.size(); ++size) {
    LoadedPackage& package = *served.packages[size];
    const auto in_order = make_sequential_executor(package);
    if (!in_order) return run_error(one_line_text(in_order.error()));
    arena.poison();
    const int code = arena.run(size, {0, arena.steps()}, alone, 0);
    const int expected_code = (*in_order)->run();
    if (code != 0 || expected_code != 0) {
      return run_error(fmt::format("a kernel returned {}", code != 0 ? code : expected_code));
    }
    const std::vector<Tensor> outputs = outputs_of(arena, package.program());
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == package.output(i)) continue;
      return run_error(
          fmt::format("output {} of {} by segments is not that of its kernels in order", i,
                      package.program().model));
    }
  }
  return {};
}

Outcome<SegmentLaunch> ServedQueries::launch_of(const Json& asked) {
  SegmentLaunch launch{.query = asked.at("query"), .size = asked.at("size"), .workers = {}};
  const size_t model = asked.at("model"), arena = asked.at("arena");
  if (model >= models_.size() || arena >= models_[model].arenas.size() ||
      launch.size >= models_[model].packages.size()) {
    return serve_request_invalid("no such model, arena or size of team: " + asked.dump());
  }
  launch.arena = models_[model].arenas[arena].get();
  launch.workers = asked.at("workers").get<std::vector<int>>();
  const auto is_worker = [&](int worker) {
    return worker >= 0 && static_cast<size_t>(worker) < workers_->size();
  };
  if (launch.workers.empty() || !std::ranges::all_of(launch.workers, is_worker)) {
    return serve_request_invalid("no such workers: " + asked.dump());
  }
  for (const Json& segment : asked.at("segments")) {
    const StepRange steps{segment.at(0), segment.at(1)};
    if (steps.first > steps.end || steps.end > launch.arena->steps()) {
      return serve_request_invalid("no such steps: " + asked.dump());
    }
    launch.segments.push_back(steps);
  }
  return launch;
}

Outcome<Json> ServedQueries::advance(const Json& params) {
  if (workers_ == nullptr) return serve_request_invalid("nothing is served");
  for (const Json& asked : params.value("launches", Json::array())) {
    auto launch = launch_of(asked);
    if (!launch) return tl::make_unexpected(launch.error());
    workers_->start(std::move(*launch));
  }
  Json ended = Json::array();
  for (const EndedLaunch& one : workers_->wait(params.value("until_s", 0.0))) {
    ended.push_back(serve_request_json_of(one));
  }
  return Json{{"now_s", monotonic_s()}, {"ended", std::move(ended)}};
}

bool ServedQueries::uses(const LoadedPackage* package) const {
  return std::ranges::any_of(models_, [&](const Served& served) {
    return std::ranges::count(served.packages, package) > 0;
  });
}

void ServedQueries::end() {
  workers_.reset();
  models_.clear();
}

}  // namespace opbench
