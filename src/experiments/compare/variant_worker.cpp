#include "experiments/compare/variant_worker.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/files/code_folder.h"
#include "base/json/json_text.h"
#include "engines/client/engine_process.h"
#include "engines/protocol/server.h"
#include "experiments/sessions/request/replay_request.h"
#include "machine/facts/build_info.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

// Reading a model, building its kernels and checking it.
constexpr Seconds kPreparation{1800};

Json error_json(const Error& error) {
  Json facts = Json::array();
  for (const Fact& fact : error.facts) facts.push_back({fact.label, fact.text});
  return {{"code", static_cast<int>(error.code)}, {"message", error.message}, {"facts", facts}};
}

Error error_from_json(const Json& json) {
  Error error{static_cast<ErrorCode>(json.at("code").get<int>()), json.at("message"), {}};
  for (const Json& fact : json.at("facts")) error.facts.push_back({fact.at(0), fact.at(1)});
  return error;
}

Json answer(const Json& params) {
  auto request = parse_request_json(json_text(params.at("request")));
  if (!request) return {{"error", error_json(request.error())}};
  request->measure.inject_fault = params.value("inject_fault", "");
  std::vector<Variant> variants;
  for (const Json& choice : params.at("choices")) {
    variants.push_back({choice.at("engine"), choice.at("threads"), request->settings});
  }
  const auto session = Session::make(request->model, variants, request->measure, request->hooks,
                                     {.units = static_cast<UnitKind>(params.at("units")),
                                      .folder = params.at("folder").get<std::string>()});
  if (!session) return {{"error", error_json(session.error())}};
  const auto sides = prepared_variants(**session);
  if (!sides) return {{"error", error_json(sides.error())}};
  Json list = Json::array();
  for (const PreparedVariant& side : *sides) list.push_back(side_json(side));
  const BuildInfo build = build_info();
  return {{"schema", kSidesSchema},
          {"sides", list},
          {"program", {{"version", build.version}, {"commit", commit_text(build)}}}};
}

Outcome<Json> handle(const std::string& method, const Json& params) {
  if (method != "prepare_sides") {
    return tl::make_unexpected(Failure{FailureKind::kUnsupported, "unknown method " + method});
  }
  try {
    return answer(params);
  } catch (const nlohmann::json::exception& error) {
    return tl::make_unexpected(Failure{FailureKind::kInvalidConfig, error.what()});
  }
}

Result<fs::path> program_of(const fs::path& build) {
  std::error_code ignored;
  const fs::path program =
      fs::absolute(fs::is_directory(build, ignored) ? build / "opbench" : build);
  if (!fs::is_regular_file(program, ignored)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("no OpBench build at \"{}\"", build.string())}
        .with("valid", "the opbench of another checkout, or the folder that holds it");
  }
  if (::access(program.c_str(), X_OK) != 0) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("\"{}\" cannot be executed", build.string())};
  }
  return program;
}

Result<std::vector<PreparedVariant>> sides_in(const Json& reply) {
  if (reply.contains("error")) return error_from_json(reply.at("error"));
  std::vector<PreparedVariant> sides;
  for (const Json& json : reply.at("sides")) {
    OPBENCH_TRY(PreparedVariant side, side_from_json(json));
    // Builds from before this was asked for do not say it.
    const Json program = reply.value("program", Json::object());
    side.info.program_version = program.value("version", "");
    side.info.commit = program.value("commit", "");
    sides.push_back(std::move(side));
  }
  return sides;
}

}  // namespace

int serve_variants() { return serve(handle); }

Result<std::vector<PreparedVariant>> prepare_variants_with(const fs::path& build,
                                                           const ProfileRequest& request,
                                                           const std::vector<Variant>& variants,
                                                           UnitKind units, const fs::path& folder) {
  OPBENCH_TRY(const fs::path program, program_of(build));
  const auto refusal = [&](const std::string& reason) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("the build \"{}\" cannot take part", build.string())}
        .with("reason", reason);
  };
  const fs::path log = folder / "side-worker.log";
  OPBENCH_TRY(const CacheChoice cache, choose_cache());
  EngineCommand command{.argv = {program.string(), "side-worker"}, .log = log};
  // Kernels are linked to the cache, which must outlive that program.
  if (!cache.home.empty()) command.environment["XDG_CACHE_HOME"] = cache.home.string();
  OPBENCH_TRY(const auto worker, EngineProcess::start(std::move(command)));
  Json wanted = Json::array();
  for (const Variant& variant : variants) {
    wanted.push_back({{"engine", variant.engine}, {"threads", variant.threads}});
  }
  const Json params = {{"request", Json::parse(request_json(request))},
                       {"inject_fault", request.measure.inject_fault},
                       {"choices", wanted},
                       {"units", static_cast<int>(units)},
                       {"folder", folder.string()}};
  const auto reply = worker->call("prepare_sides", params, kPreparation, request.hooks.cancel);
  if (!reply) {
    if (request.hooks.is_cancelled()) {
      return Error{ErrorCode::kInterrupted, "interrupted while the other build was preparing"};
    }
    return refusal(to_text(reply.error()));
  }
  try {
    return sides_in(*reply);
  } catch (const nlohmann::json::exception& error) {
    return refusal(error.what());
  }
}

}  // namespace opbench
