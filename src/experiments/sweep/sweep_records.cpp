#include "experiments/sweep/sweep_records.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>

#include "base/json/json.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/replay_request.h"
#include "experiments/sessions/run_identity.h"
#include "experiments/sweep/sweep_point.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

/// What was asked for of one engine and thread count; empty if it cannot be told.
std::string key_of(const std::string& request, const std::string& engine, int64_t threads) {
  Json json = Json::parse(request, nullptr, false);
  if (!json.is_object()) return "";
  json["engines"] = {engine};
  json["threads"] = {threads};
  // Of a tuning log, what was asked for counts: which kernels were applied is known only later;
  // so is the plan of streams.
  if (json.contains("tuning")) json.erase("kernels");
  if (json.contains("parallel")) {
    for (const char* made : {"plan", "plan_sha256"}) json.erase(made);
  }
  return canonical_text(json);
}

}  // namespace

RecordedPoints::RecordedPoints(const std::vector<ReplayItem>& items,
                               const std::string& machine_hash) {
  for (const ReplayItem& item : items) {
    const bool is_here = item.record.machine_hash && *item.record.machine_hash == machine_hash;
    const std::string key = key_of(item.request, item.record.engine, item.threads);
    if (!is_here || key.empty()) continue;
    std::vector<const ReplayItem*>& run = runs_[key];
    if (!run.empty() && run.front()->record.run_id != item.record.run_id) run.clear();
    run.push_back(&item);
  }
}

bool RecordedPoints::fill(const ProfileRequest& request, SweepPoint& point) const {
  const auto run = runs_.find(key_of(request_json(request), point.engine, point.threads));
  if (run == runs_.end()) return false;
  const Result<Model> model = load_model(request.model, request.measure, request.hooks);
  if (!model || model->sha256 != run->second.front()->model_sha256) return false;
  SweepPoint filled = point;
  fill_point(filled, engine_result_of(run->second), request.measure.cache);
  if (!filled.time || !filled.failure.empty()) return false;
  point = std::move(filled);
  point.is_recorded = true;
  return true;
}

std::vector<BenchmarkRecord> refusal_records(const ProfileRequest& request, const SweepPoint& point,
                                             const Environment& environment) {
  ProfileResult result;
  result.environment = environment;
  result.timestamp = utc_now();
  result.model = request.model.workload.empty() ? request.model.name : request.model.workload;
  result.workload = request.model.workload;
  result.run_id = run_id_of(result.timestamp, result.model);
  result.target = request.settings.target;
  result.batch_size = point.batch;
  result.seed = request.model.seed;
  result.cache = name_of(request.measure.cache);
  result.argv = request.notes.argv;
  result.labels = request.notes.labels;
  result.request_json = request_json(request);
  EngineResult engine{.engine = point.engine, .threads = point.threads};
  engine.model.end_to_end_reason = point.failure;
  result.engines.push_back(std::move(engine));
  return records_of(result).value_or(std::vector<BenchmarkRecord>());
}

bool RecordedPoints::is_other_software(const ProfileRequest& request, const SweepPoint& point,
                                       const std::string& software_hash) const {
  const auto run = runs_.find(key_of(request_json(request), point.engine, point.threads));
  return run != runs_.end() && run->second.front()->record.software_hash != software_hash;
}

}  // namespace opbench
